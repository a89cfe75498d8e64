import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Configuration, type Grant, Provider } from 'oidc-provider';

/** The scope that clients ask for: this server grants no token without one. */
export const SCOPE = 'tools';
/** The Member that signs in: that of the demo. */
export const USER = 'demo-member';

/** The claims in the tokens of an authorization server. */
interface Tokens {
  /** The resource that they are for. */
  readonly resource: string;
  /** The id of the Member's Workspace. */
  readonly workspace: () => string;
}

/**
 * Starts a provider of OpenID Connect at a port of this machine. The provider asks the user nothing: each sign-in succeeds. Returns a
 * function that stops it.
 *
 * @param allow adds the scopes to which the user consents.
 */
export async function startProvider(
  port: number,
  configuration: Configuration,
  allow: (grant: Grant) => void,
) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' } as never] },
    cookies: { keys: [crypto.randomUUID()] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ...configuration,
    features: { devInteractions: { enabled: false }, ...configuration.features },
  });
  const serve = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void serve(request, response);
    const interact = async () => {
      const { prompt, params } = await provider.interactionDetails(request, response);
      if (prompt.name === 'login') return { login: { accountId: USER } };
      const grant = new provider.Grant({ accountId: USER, clientId: String(params.client_id) });
      allow(grant);
      return { consent: { grantId: await grant.save() } };
    };
    interact()
      .then((result) => provider.interactionFinished(request, response, result))
      .catch((error: Error) => response.writeHead(500).end(error.stack));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Starts an authorization server for `/mcp`, where clients register by themselves. Returns a function that stops it. */
export async function startAuthorizationServer(port: number, { resource, workspace }: Tokens) {
  const configuration: Configuration = {
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    extraTokenClaims: () => ({ workspace_id: workspace() }),
    scopes: [SCOPE],
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, indicator) => {
          if (indicator !== resource) throw new Error(`The client asked for a token for ${indicator}`);
          return { scope: SCOPE, audience: resource, accessTokenFormat: 'jwt', accessTokenTTL: 3600 };
        },
      },
    },
  };
  return await startProvider(port, configuration, (grant) => {
    grant.addOIDCScope(SCOPE);
    grant.addResourceScope(resource, SCOPE);
  });
}
