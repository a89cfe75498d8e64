import { hash } from 'node:crypto';
import { hashGrantSecret, isGrantSecret, type SecretKind } from '@action-platform/contracts/authority';
import { issueTokens, revokeToken, type ShownAtTokenEndpoint } from '@action-platform/contracts/calls';
import { mcpAddress } from '@action-platform/contracts/configuration';
import { ActionError } from '@action-platform/contracts/errors';
import { oauthRoutes } from '@action-platform/contracts/routes';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { tooManyUnauthenticated } from '../../authentication/authenticator.ts';
import { TokenRefused } from '../../authentication/token-refused.ts';
import { WorkloadTokens } from '../../authentication/workload-tokens.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { askGrants } from './grants-calls.ts';
import { endpoint, OAuthError } from './oauth-error.ts';
import { type Parameters, readForm, required } from './parameters.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** How many refresh tokens a gateway remembers, so that no flood of strangers holds up those who have one. */
const REMEMBERED = 10_000;

/** One text for every refusal: the log has the reason. */
const REFUSED = 'What was shown is not valid, or no longer.';

/** POST /oauth/token and POST /oauth/revoke. */
export function tokenHandlers(dependencies: Dependencies, publicUrl: string) {
  const { config, log, refusals, unauthenticated, audit } = dependencies;
  const workloads = new WorkloadTokens(config.WORKLOAD_ISSUERS, publicUrl + oauthRoutes.token.path, log);
  const remembered = new LRUCache<string, true>({ max: REMEMBERED });
  const resource = mcpAddress(publicUrl);

  const admit = (secretHash?: string) => {
    const isKnown = secretHash !== undefined && remembered.has(secretHash);
    if (!isKnown && !unauthenticated.take()) throw tooManyUnauthenticated();
  };

  /** Reads the credential of a request, by the grant type. */
  const shownBy: Readonly<
    Record<string, (form: Parameters, exchange: Exchange) => Promise<ShownAtTokenEndpoint>>
  > = {
    authorization_code: async (form) => {
      if (form.resource !== undefined && form.resource !== resource)
        throw new OAuthError('invalid_target', `resource: must be ${resource}.`);
      const verifier = required(form, 'code_verifier');
      if (!/^[\w.~-]{43,128}$/.test(verifier))
        throw new OAuthError('invalid_request', 'code_verifier: must be that of RFC 7636.');
      const shown = { hash: hashOf('code', required(form, 'code')), clientId: required(form, 'client_id') };
      admit();
      const challenge = hash('sha256', verifier, 'base64url');
      const { redirect_uri: redirectUri } = form;
      return { kind: 'code', ...shown, challenge, ...(redirectUri !== undefined && { redirectUri }) };
    },
    refresh_token: async (form) => {
      if (form.resource !== undefined && form.resource !== resource)
        throw new OAuthError('invalid_target', `resource: must be ${resource}.`);
      const clientId = required(form, 'client_id');
      const secretHash = hashOf('refresh', required(form, 'refresh_token'));
      admit(secretHash);
      return { kind: 'refresh', hash: secretHash, clientId };
    },
    [JWT_BEARER]: async (form, { deadline }) => {
      const grantId = required(form, 'grant_id');
      const assertion = required(form, 'assertion');
      admit();
      return { kind: 'workload', grantId, ...(await workloads.verify(assertion, deadline)) };
    },
  };

  return {
    token: endpoint(async (request: Request, response: ApiResponse) => {
      const { exchange } = response.locals;
      const form = await readForm(request, response);
      const type = required(form, 'grant_type');
      const show = Object.hasOwn(shownBy, type) ? shownBy[type] : undefined;
      if (show === undefined) throw new OAuthError('unsupported_grant_type', 'grant_type: is none of these.');
      try {
        const shown = await show(form, exchange);
        const issued = await askGrants(dependencies, issueTokens, { shown }, exchange);
        if ('refused' in issued) {
          if (issued.revoked !== undefined) noteRevoked(exchange, new ActionError('grant_revoked'));
          throw new TokenRefused('invalid_token', `at the token endpoint: ${issued.refused}`);
        }
        const { accessToken, refreshToken, expiresIn, operations } = issued;
        if (refreshToken !== undefined) remembered.set(hashGrantSecret(refreshToken), true);
        return {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: expiresIn,
          ...(refreshToken !== undefined && { refresh_token: refreshToken, scope: operations.join(' ') }),
        };
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        refusals.note(error, exchange);
        if (error.status >= 500) throw error;
        throw new OAuthError('invalid_grant', REFUSED);
      }
    }),

    revoke: endpoint(async (request: Request, response: ApiResponse) => {
      const { exchange } = response.locals;
      const form = await readForm(request, response);
      const token = required(form, 'token');
      const { client_id: clientId } = form;
      // RFC 7009, section 2.2: an invalid token needs no error.
      if (!isGrantSecret(token, ['access', 'refresh', 'code'])) return {};
      const secretHash = hashGrantSecret(token);
      admit(secretHash);
      const shown = { hash: secretHash, ...(clientId !== undefined && { clientId }) };
      const { revoked, isOfAnotherClient } = await askGrants(dependencies, revokeToken, shown, exchange);
      // Section 2.1: whoever believes that a token has ended is told when it lives on.
      if (isOfAnotherClient) {
        required(form, 'client_id');
        throw new OAuthError('invalid_grant', 'token: was issued to another client.');
      }
      if (revoked !== undefined) noteRevoked(exchange);
      return {};
    }),
  };

  /** Leaves an entry in the audit log, in the name of a grant that has ended. */
  function noteRevoked(exchange: Exchange, error?: ActionError): void {
    const { context } = exchange;
    context.credential = { kind: 'grant', secretHash: '' };
    if (error !== undefined) context.error = error;
    audit.ended(exchange, 'write', context.holder ?? '');
  }
}

/** The hash of a secret of a kind. @throws TokenRefused for a text of another form, without a look-up. */
function hashOf(kind: SecretKind, secret: string): string {
  if (!isGrantSecret(secret, [kind])) throw new TokenRefused('invalid_token', `malformed ${kind}`);
  return hashGrantSecret(secret);
}
