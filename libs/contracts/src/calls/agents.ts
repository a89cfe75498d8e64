import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';

/** Seals the registration of a client (RFC 7591) into its client_id; stores nothing. @throws ActionError `invalid_request` */
export const registerClient = defineCall({
  id: 'grants.register_client',
  callers: ['gateway'],
  effect: 'read',
  input: z.object({ name: z.string(), uri: z.string().optional(), redirectUris: z.array(z.string()) }),
  output: z.union([
    z.object({ clientId: z.string() }),
    z.object({ refused: z.enum(['invalid_redirect_uri', 'invalid_client_metadata']), problem: z.string() }),
  ]),
});

/** Finds a client that may be sent to a redirect URI. @throws ActionError `invalid_request` */
export const findClient = defineCall({
  id: 'grants.find_client',
  callers: ['gateway'],
  effect: 'read',
  input: z.object({ clientId: z.string(), redirectUri: z.string() }),
  output: z.object({ name: z.string() }),
});

/** The credential of a request to /oauth/token: a code, a refresh token, or the verified token of a workload. Secrets are hashes (SHA-256, base64url). */
const shown = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('code'),
    hash: z.string(),
    clientId: z.string(),
    redirectUri: z.string().optional(),
    /** The challenge of the verifier that came with it (RFC 7636, section 4.6). */
    challenge: z.string(),
  }),
  z.object({ kind: z.literal('refresh'), hash: z.string(), clientId: z.string() }),
  z.object({
    kind: z.literal('workload'),
    grantId: z.string(),
    issuer: z.string(),
    subject: z.string(),
    /** The claims of the token that are texts. */
    claims: z.record(z.string(), z.string()),
  }),
]);
export type ShownAtTokenEndpoint = z.output<typeof shown>;

/**
 * Makes an access token of a grant, and of an agent's a refresh token. A code that is shown again ends the grant, and so does a refresh token
 * that is shown again after 30 s. A refusal is an answer with its reason for the log.
 */
export const issueTokens = defineCall({
  id: 'grants.issue_tokens',
  callers: ['gateway'],
  effect: 'write',
  input: z.object({ shown }),
  output: z.union([
    z.object({
      accessToken: z.string(),
      refreshToken: z.string().optional(),
      expiresIn: z.int(),
      operations: z.array(z.string()),
    }),
    z.object({
      refused: z.string(),
      /** The grant that ended by it. */
      revoked: z.string().optional(),
    }),
  ]),
  targets: (_input, result) => [result && 'refused' in result ? result.revoked : undefined],
});

/** Ends the grant of an agent's token, or the access token of a job alone; an unknown one changes nothing (RFC 7009, section 2.2). */
export const revokeToken = defineCall({
  id: 'grants.revoke_token',
  callers: ['gateway'],
  effect: 'write',
  input: z.object({ hash: z.string(), clientId: z.string().optional() }),
  output: z.object({
    /** The grant that ended by it, or before. */
    revoked: z.string().optional(),
    /** Whether the token was issued to another client than the one named: nothing ended. */
    isOfAnotherClient: z.literal(true).optional(),
  }),
  targets: (_input, result) => [result?.revoked],
});
