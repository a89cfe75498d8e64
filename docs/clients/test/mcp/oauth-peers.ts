import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { redirectUrl } from './sign-in-client.ts';

/** The work of a library at the platform: signing in, refreshing, calling, and ending its grant. */
type SignIn = (platform: string, consent: (start: URL) => Promise<URL>) => Promise<void>;

const program = {
  client_name: 'Peer',
  redirect_uris: [redirectUrl],
  token_endpoint_auth_method: 'none',
};
const insecure = { [oauth.allowInsecureRequests]: true };

/** With `openid-client`, from the address of the platform alone. */
const withOpenIdClient: SignIn = async (platform, consent) => {
  const config = await openid.dynamicClientRegistration(new URL(platform), program, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
  const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const start = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUrl,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const checks = { pkceCodeVerifier, expectedState };
  const tokens = await openid.authorizationCodeGrant(config, await consent(start), checks);
  const { access_token, refresh_token } = await openid.refreshTokenGrant(config, tokens.refresh_token!);
  const call = () =>
    openid.fetchProtectedResource(config, access_token, new URL(`${platform}/api/v1/operations`), 'GET');
  assert.equal((await call()).status, 200);
  await openid.tokenRevocation(config, refresh_token!);
  await assert.rejects(call, openid.WWWAuthenticateChallengeError);
};

/** With `oauth4webapi`, which checks each answer against its standard, from the address of `/mcp`. */
const withOauth4webapi: SignIn = async (platform, consent) => {
  const resource = new URL(`${platform}/mcp`);
  const { authorization_servers } = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  );
  const issuer = new URL(authorization_servers![0]!);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, program, insecure),
  );
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const start = new URL(server.authorization_endpoint!);
  start.search = new URLSearchParams({
    ...{ client_id: client.client_id, response_type: 'code', redirect_uri: redirectUrl, state },
    ...{ resource: resource.href, code_challenge: await oauth.calculatePKCECodeChallenge(verifier) },
    code_challenge_method: 'S256',
  }).toString();

  // An error has the state and the issuer, as an answer does.
  const wrong = new URL(start);
  wrong.searchParams.set('resource', 'https://other.example.com/mcp');
  const refused = await consent(wrong);
  assert.throws(() => oauth.validateAuthResponse(server, client, refused, state), {
    error: 'invalid_target',
  });

  const answer = oauth.validateAuthResponse(server, client, await consent(start), state);
  const none = oauth.None();
  const exchange = () =>
    oauth
      .authorizationCodeGrantRequest(server, client, none, answer, redirectUrl, verifier, insecure)
      .then((response) => oauth.processAuthorizationCodeResponse(server, client, response));
  const tokens = await exchange();
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token!, insecure),
  );
  const operations = new URL(`${platform}/api/v1/operations`);
  const call = () =>
    oauth.protectedResourceRequest(refreshed.access_token, 'GET', operations, undefined, undefined, insecure);
  assert.equal((await call()).status, 200);
  // A code that comes twice ends the grant.
  await assert.rejects(exchange, { error: 'invalid_grant' });
  await assert.rejects(call, oauth.WWWAuthenticateChallengeError);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, none, refreshed.refresh_token!, insecure),
  );
};

/** Libraries of OAuth, by package. */
export const oauthPeers: Readonly<Record<string, SignIn>> = {
  'openid-client': withOpenIdClient,
  oauth4webapi: withOauth4webapi,
};
