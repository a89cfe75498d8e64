import { registerClient } from '@action-platform/contracts/calls';
import type { Request } from 'express';
import { z } from 'zod';
import type { Dependencies } from '../../dependencies.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { askGrants } from './grants-calls.ts';
import { endpoint, OAuthError } from './oauth-error.ts';
import { readText } from './parameters.ts';

/** The metadata of a client that count here (RFC 7591, section 2); all others are ignored, as section 3.1 has it. */
const registration = z.object({
  redirect_uris: z.array(z.string()).min(1),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
});

/** The metadata that every client gets. */
const GIVEN = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

/** POST /oauth/register: nothing is stored, the client_id is the sealed registration. */
export function registerHandler(dependencies: Dependencies) {
  return endpoint(async (request: Request, response: ApiResponse) => {
    const { data, error } = registration.safeParse(
      parsed(await readText(request, response, 'application/json')),
    );
    if (data === undefined) {
      const isOfUri = error.issues.some(({ path }) => path[0] === 'redirect_uris');
      const code = isOfUri ? 'invalid_redirect_uri' : 'invalid_client_metadata';
      throw new OAuthError(
        code,
        'redirect_uris must be an array of addresses, client_name and client_uri texts.',
      );
    }
    const { redirect_uris: redirectUris, client_uri: uri } = data;
    const name = data.client_name ?? (URL.parse(redirectUris[0]!)?.host || 'A program without a name');
    const metadata = { name, redirectUris, ...(uri !== undefined && { uri }) };
    const registered = await askGrants(dependencies, registerClient, metadata, response.locals.exchange);
    if ('refused' in registered) throw new OAuthError(registered.refused, registered.problem);
    return {
      client_id: registered.clientId,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      client_name: name,
      ...(uri !== undefined && { client_uri: uri }),
      redirect_uris: redirectUris,
      ...GIVEN,
    };
  }, 201);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body is not JSON.');
  }
}
