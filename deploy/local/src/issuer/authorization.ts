import { LOCAL_CLIENT, LOCAL_ISSUER } from './tokens.ts';

/**
 * Reads an authorization request of the console (RFC 6749, section 4.1.1; RFC 7636, section 4.3). One of another client or for another
 * redirect URI is undefined, as its answer must not be redirected.
 */
export function readAuthorization(query: URLSearchParams, redirectUris: readonly string[]) {
  const given = (name: string) => query.get(name) ?? undefined;
  const redirectUri = given('redirect_uri') ?? '';
  const challenge = given('code_challenge') ?? '';
  if (given('client_id') !== LOCAL_CLIENT || !redirectUris.includes(redirectUri)) return undefined;
  const isCodeFlow = given('response_type') === 'code' && given('code_challenge_method') === 'S256';
  // Each sign-in takes a click: it satisfies every max_age, and prompt=none never.
  const needsNoClick = given('prompt') === 'none' ? 'login_required' : undefined;
  return {
    redirectUri,
    challenge,
    nonce: given('nonce'),
    error: isCodeFlow && challenge.length === 43 ? needsNoClick : 'invalid_request',
    /** The address that the browser goes back to with this parameter. */
    back: (parameter: { readonly code: string } | { readonly error: string }) =>
      `${redirectUri}?${new URLSearchParams({ ...parameter, state: given('state') ?? '', iss: LOCAL_ISSUER })}`,
  };
}

/** The page where a click signs in. It needs no script. */
export function signInPage(users: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in to the demo</title>
<h1>Sign in to the demo</h1>
<p>The issuer of <code>npm start</code> asks for no password: it serves this machine alone.</p>
<form method="post">
${users.map((user) => `<p><button name="user" value="${user}">${user}</button></p>`).join('\n')}
<p><button>Cancel</button></p>
</form>
</html>
`;
}
