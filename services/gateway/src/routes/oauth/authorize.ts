import { findClient } from '@action-platform/contracts/calls';
import { mcpAddress } from '@action-platform/contracts/configuration';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { redirectWith } from '@action-platform/contracts/resources';
import { CONSENT_PAGE } from '@action-platform/contracts/routes';
import type { Request } from 'express';
import type { Dependencies } from '../../dependencies.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import type { AssetUrl } from '../docs/assets.ts';
import { html } from '../docs/html.ts';
import { protectPage, renderPage } from '../docs/page.ts';
import { askGrants } from './grants-calls.ts';
import { OAuthError } from './oauth-error.ts';
import { withValues } from './parameters.ts';

/** The parameters that the page of consent gets. */
const PASSED_ON = ['client_id', 'redirect_uri', 'code_challenge', 'resource', 'state', 'scope'] as const;

const STATE_MAX_LENGTH = 4_000;

/** GET /oauth/authorize: sends the browser to the page of consent (RFC 6749, section 4.1.1), or back with an error. */
export function authorizeHandler(dependencies: Dependencies, publicUrl: string, assetUrl: AssetUrl) {
  const resource = mcpAddress(publicUrl);
  return async (request: Request, response: ApiResponse): Promise<void> => {
    const { exchange } = response.locals;
    const query = withValues(request.query);
    const { client_id: clientId, redirect_uri: redirectUri } = query;
    let isChecked = true;
    try {
      if (typeof clientId !== 'string' || typeof redirectUri !== 'string')
        throw invalidRequest('The link has no client_id, or no redirect_uri.');
      await askGrants(dependencies, findClient, { clientId, redirectUri }, exchange);
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      if (error.status === 400) return await refuse(exchange, response, error);
      // Strangers may take up all requests for documents that grants makes for strangers; the page of consent asks again for a Member.
      const isOfDocument = error.code === 'action_platform_unavailable' && URL.canParse(String(clientId));
      if (!isOfDocument) throw error;
      isChecked = false;
    }
    const state = typeof query.state === 'string' ? query.state : undefined;
    try {
      requireSound(query, resource);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { code, message: error_description } = error;
      if (!isChecked) return await refuse(exchange, response, invalidRequest(error_description));
      response.redirect(
        302,
        redirectWith(redirectUri as string, { error: code, error_description, state, iss: publicUrl }),
      );
      return;
    }
    const passed = PASSED_ON.map((name) => [name, name === 'resource' ? resource : query[name]] as const);
    response.redirect(302, redirectWith(CONSENT_PAGE, Object.fromEntries(passed) as Record<string, string>));
  };

  /** A page: whoever made the link is no program that this browser may be sent to. */
  async function refuse(exchange: Exchange, response: ApiResponse, reason: ActionError): Promise<void> {
    exchange.context.error = reason;
    const page = renderPage(
      {
        title: 'No sign-in',
        body: html`<article>
<h1>This program cannot sign in here</h1>
<p>${reason.message}</p>
<p>Nothing was allowed. Close this page, and connect the program again; its makers can mend the link.</p>
</article>`,
      },
      assetUrl,
    );
    protectPage(response);
    response.status(400).set('Content-Type', 'text/html; charset=utf-8').end(page.bytes);
  }
}

/** Refuses a request that no consent could answer. @throws OAuthError */
function requireSound(query: Request['query'], resource: string): void {
  // RFC 6749, section 3.1.
  const twice = Object.keys(query).find((name) => typeof query[name] !== 'string');
  if (twice !== undefined) throw new OAuthError('invalid_request', 'A parameter is there twice.');
  if (query.response_type === undefined)
    throw new OAuthError('invalid_request', 'response_type: is required.');
  if (query.response_type !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type: must be code.');
  if (query.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(String(query.code_challenge)))
    throw new OAuthError('invalid_request', 'code_challenge: is required, with the method S256.');
  if (query.resource !== undefined && query.resource !== resource)
    throw new OAuthError('invalid_target', `resource: must be ${resource}.`);
  if (String(query.state ?? '').length > STATE_MAX_LENGTH)
    throw new OAuthError('invalid_request', `state: must have at most ${STATE_MAX_LENGTH} characters.`);
}
