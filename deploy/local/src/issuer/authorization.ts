import { LOCAL_CLIENT, LOCAL_ISSUER } from './tokens.ts';

/**
 * Reads an authorization request of the console (RFC 6749, section 4.1.1; RFC 7636, section 4.3). A request of another client or for
 * another redirect URI is undefined, as its answer must not be redirected.
 */
export function readAuthorization(query: URLSearchParams, redirectUris: readonly string[]) {
  const given = (name: string) => query.get(name) ?? undefined;
  const redirectUri = given('redirect_uri') ?? '';
  const challenge = given('code_challenge') ?? '';
  if (given('client_id') !== LOCAL_CLIENT || !redirectUris.includes(redirectUri)) return undefined;
  const isCodeFlow = given('response_type') === 'code' && given('code_challenge_method') === 'S256';
  return {
    redirectUri,
    challenge,
    nonce: given('nonce'),
    /** How long ago the sign-in may have been, in seconds (OpenID Connect Core, section 3.1.2.1). */
    maxAge: Number(given('max_age') ?? Number.POSITIVE_INFINITY),
    prompt: given('prompt'),
    error: isCodeFlow && challenge.length === 43 ? undefined : 'invalid_request',
    /** The address that the browser goes back to with this parameter. */
    back: (parameter: { readonly code: string } | { readonly error: string }) =>
      `${redirectUri}?${new URLSearchParams({ ...parameter, state: given('state') ?? '', iss: LOCAL_ISSUER })}`,
  };
}
