import * as oauth from 'oauth4webapi';

/** @type {{ issuer: string, clientId: string, metadataUrl: string, freshSeconds: number }} */
const { issuer, clientId, metadataUrl, freshSeconds } = JSON.parse(
  document.querySelector('meta[name=console]')?.getAttribute('content') ?? '',
);
const client = { client_id: clientId };
const redirectUri = `${location.origin}/console`;
// The gateway names an issuer without TLS only on its own machine.
const insecure = { [oauth.allowInsecureRequests]: metadataUrl.startsWith('http:') };

/** Where a sign-in that has begun is kept until the issuer sends the browser back. */
const PENDING = 'console-sign-in';

/** The ID token, in memory alone, and when its user signed in. @type {{ token: string, signedInAt: number } | undefined} */
let session;

/** The token of the signed-in Member. */
export const token = () => session?.token;

/** Whether the sign-in is recent enough for decisions; the gateway decides by its own clock. */
export const isFresh = () => session !== undefined && Date.now() / 1000 - session.signedInAt < freshSeconds;

/** Has the next decision ask for a new sign-in. */
export function notFresh() {
  if (session !== undefined) session.signedInAt = 0;
}

async function provider() {
  const response = await fetch(metadataUrl, { headers: { Accept: 'application/json' } }).catch(() => {
    throw new Error(`The sign-in provider does not answer this page (CORS) at ${metadataUrl}.`);
  });
  return await oauth.processDiscoveryResponse(new URL(issuer), response);
}

/**
 * Goes to the issuer, which sends the browser back to this address (OpenID Connect Core, section 3.1.2; RFC 7636).
 *
 * @param {{ fresh?: boolean }} [needed] whether the sign-in must be recent
 */
export async function signIn({ fresh = false } = {}) {
  const { authorization_endpoint: endpoint = '' } = await provider();
  const pending = {
    path: location.pathname + location.search,
    fresh,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const url = new URL(endpoint);
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(fresh && { max_age: String(freshSeconds) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Finishes a sign-in when the address is the issuer's answer, and puts back the address where it began. */
export async function finishSignIn() {
  const answer = new URL(location.href);
  const isAnswer = ['code', 'error', 'state'].some((name) => answer.searchParams.has(name));
  if (answer.pathname !== '/console' || !isAnswer) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? '{}');
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', pending.path ?? redirectUri);
  if (pending.state === undefined) throw new Error('It did not begin in this tab.');
  const server = await provider();
  const parameters = oauth.validateAuthResponse(server, client, answer, pending.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    pending.verifier,
    insecure,
  );
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
    ...(pending.fresh && { maxAge: freshSeconds }),
  });
  const { auth_time: signedInAt = 0 } = oauth.getValidatedIdTokenClaims(result) ?? {};
  session = { token: result.id_token ?? '', signedInAt };
}
