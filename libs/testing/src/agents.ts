import { hash, randomBytes } from 'node:crypto';
import { type Answer, Caller, type Json } from './http.ts';

/** Where the programs of tests wait for their answers. */
export const REDIRECT_URI = 'https://agent.example.com/callback';

/** A verifier with its challenge (RFC 7636, S256). */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: hash('sha256', verifier, 'base64url') };
}

/** Sends a form to an endpoint for programs. Rejects without a whole answer. */
export async function postForm(
  url: string,
  endpoint: 'token' | 'revoke',
  form: Readonly<Record<string, string>>,
): Promise<Pick<Answer, 'status' | 'json'> & { readonly headers: Headers }> {
  const body = new URLSearchParams(form);
  const response = await fetch(`${url}/oauth/${endpoint}`, { method: 'POST', body });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** The client_id of a program that registers. @throws Error with the refusal */
export async function registerAgent(url: string, metadata: object = {}): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Example Agent', redirect_uris: [REDIRECT_URI], ...metadata }),
  });
  const body = (await response.json()) as Json;
  if (response.status !== 201) throw new Error(JSON.stringify(body));
  return body.client_id;
}

/**
 * Has a Member allow a program what is asked, as the page of consent does.
 *
 * @param url a gateway @param token of the Member, just signed in at the console @param asked with `clientId` and `operations`
 * @returns the grant, and the form with which the program exchanges its code
 * @throws Error with the refusal
 */
export async function connectAgent(
  url: string,
  token: string,
  { publicUrl = url, ...asked }: { readonly publicUrl?: string; readonly clientId: string } & object,
) {
  const { verifier, challenge } = pkce();
  const common = { redirectUri: REDIRECT_URI, resource: `${publicUrl}/mcp`, codeChallenge: challenge };
  const path = '/api/v1/agent-authorizations';
  const { grant, redirectTo } = await new Caller(url, token).request('POST', path, { ...common, ...asked });
  const code = new URL(redirectTo).searchParams.get('code')!;
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: asked.clientId };
  return { grant: grant as Json, redirectTo: redirectTo as string, form };
}
