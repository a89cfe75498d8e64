import * as oauth from 'oauth4webapi';
import { keep, take } from './kept.js';
import { settings } from './settings.js';

const { issuer, clientId, metadataUrl, freshSeconds, scopes, userClaim } = settings;
const client = { client_id: clientId };
/** The console is a public client, without a secret. */
const none = oauth.None();
const redirectUri = () => `${location.origin}/console`;
// The gateway names an issuer without TLS only on its own machine.
const insecure = { [oauth.allowInsecureRequests]: metadataUrl.startsWith('http:') };

/** The name under which the tab keeps a sign-in until the issuer sends the browser back. */
const PENDING = 'console-sign-in';

/** How long before its end a token is replaced, and after how long an answer without one is asked for again, in seconds. */
const REFRESH_BEFORE = 30;

/** The tokens, in memory alone, and when their user signed in and the token is replaced; times are in seconds. @type {{ token: string, refreshAt: number, refreshToken: string | undefined, signedInAt: number, userId: string } | undefined} */
let session;

/** The replacement of the token that is under way, which all calls wait for: a refresh token may be valid for one use (RFC 9700, section 2.2.2). @type {Promise<void> | undefined} */
let refreshing;

/** The names of the Workspaces that a sign-in can ask for. */
export const workspaces = Object.keys(scopes);

/** Whether somebody is signed in. */
export const isSignedIn = () => session !== undefined;

/** The id of the user who signed in, who may be no Member. */
export const signedInUser = () => session?.userId ?? '';

/** The token of the signed-in user, which is replaced before it ends when the issuer gave a refresh token (RFC 6749, section 6). */
export async function currentToken() {
  if (session?.refreshToken !== undefined && now() > session.refreshAt) {
    refreshing ??= refresh(session.refreshToken).finally(() => {
      refreshing = undefined;
    });
    await refreshing;
  }
  return session?.token;
}

const now = () => Date.now() / 1000;

/** @param {string} refreshToken */
async function refresh(refreshToken) {
  const former = session;
  const server = await provider();
  try {
    const response = await oauth.refreshTokenGrantRequest(server, client, none, refreshToken, insecure);
    const answer = await oauth.processRefreshTokenResponse(server, client, response);
    // The person may have signed out meanwhile.
    if (session === former) begin(answer);
  } catch (failure) {
    if (!(failure instanceof oauth.ResponseBodyError)) throw failure;
    // The issuer refused it for good. The token is used until the gateway refuses it too, and the page offers a sign-in.
    if (session !== undefined) session.refreshToken = undefined;
  }
}

/** Deletes the tokens, and ends the session at the issuer where it has one (OpenID Connect RP-Initiated Logout, section 2). */
export async function signOut() {
  session = undefined;
  const { end_session_endpoint: endpoint } = await provider();
  if (endpoint !== undefined) location.assign(`${endpoint}?${new URLSearchParams({ client_id: clientId })}`);
}

/** Whether the sign-in is recent enough for decisions; the gateway decides by its own clock. */
export const isFresh = () => session !== undefined && now() - session.signedInAt < freshSeconds;

/** Has the next decision ask for a new sign-in. */
export function notFresh() {
  if (session !== undefined) session.signedInAt = 0;
}

/** The metadata of the issuer, fetched once. @type {Promise<oauth.AuthorizationServer> | undefined} */
let metadata;
const provider = () =>
  (metadata ??= fetchMetadata().catch((failure) => {
    metadata = undefined;
    throw failure;
  }));

async function fetchMetadata() {
  const response = await fetch(metadataUrl, { headers: { Accept: 'application/json' } }).catch(() => {
    throw new Error(`The sign-in provider does not answer this page (CORS) at ${metadataUrl}.`);
  });
  return await oauth.processDiscoveryResponse(new URL(issuer), response);
}

/** Goes to the issuer, which sends the browser back to this address (OpenID Connect Core, section 3.1.2; RFC 7636). @param {{ fresh?: boolean, workspace?: string }} [needed] whether the sign-in must be recent, and for which Workspace it is */
export async function signIn({ fresh = false, workspace = '' } = {}) {
  const pending = {
    metadata: await provider(),
    path: location.pathname + location.search,
    fresh,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  keep(PENDING, pending);
  const url = new URL(pending.metadata.authorization_endpoint ?? '');
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: `openid ${scopes[workspace] ?? ''}`.trim(),
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
  const pending = take(PENDING) ?? {};
  history.replaceState(null, '', pending.path ?? redirectUri());
  if (pending.state === undefined) throw new Error('The sign-in did not begin in this tab.');
  metadata = Promise.resolve(pending.metadata);
  const server = pending.metadata;
  const parameters = oauth.validateAuthResponse(server, client, answer, pending.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    none,
    parameters,
    redirectUri(),
    pending.verifier,
    insecure,
  );
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
    ...(pending.fresh && { maxAge: freshSeconds }),
  });
  begin(result);
}

/** @param {oauth.TokenEndpointResponse} answer */
function begin(answer) {
  const claims = oauth.getValidatedIdTokenClaims(answer);
  const refreshToken = answer.refresh_token ?? session?.refreshToken;
  if (claims !== undefined)
    session = {
      token: answer.id_token ?? '',
      refreshAt: claims.exp - REFRESH_BEFORE,
      refreshToken,
      signedInAt: claims.auth_time ?? session?.signedInAt ?? 0,
      userId: String(claims[userClaim]),
    };
  // A refresh may answer without an ID token (OpenID Connect Core, section 12.2): the present one stays until it ends.
  else if (session !== undefined) session = { ...session, refreshToken, refreshAt: now() + REFRESH_BEFORE };
}
