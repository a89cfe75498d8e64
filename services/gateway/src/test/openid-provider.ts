import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '@action-platform/testing';
import Provider from 'oidc-provider';

/** The client id of the console. */
const CLIENT = 'console';

/** An OpenID provider with one client, the console, and a page where a link signs in. */
export class OpenIdProvider {
  readonly #server = createServer();
  /** Its address, and its name as an issuer. */
  url = '';
  /** The Workspace of everybody who signs in. */
  workspaceId = '';
  /** How long ago people signed in, in seconds: a provider remembers it. */
  signedInAgo = 0;
  /** How long an ID token is good, in seconds. */
  tokenSeconds = 3600;

  /** @param consoleUrl the address of the console. */
  async start(consoleUrl: string): Promise<void> {
    // Its cookies are not those of 127.0.0.1.
    this.url = `http://localhost:${await listen(this.#server)}`;
    const provider = new Provider(this.url, {
      clients: [
        {
          client_id: CLIENT,
          redirect_uris: [consoleUrl],
          response_types: ['code'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        },
      ],
      clientBasedCORS: (_context, origin) => consoleUrl.startsWith(origin),
      conformIdTokenClaims: false,
      issueRefreshToken: () => true,
      ttl: { IdToken: () => this.tokenSeconds },
      claims: { openid: ['sub', 'workspace_id'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, workspace_id: this.workspaceId }),
      }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      // Everybody has given consent.
      loadExistingGrant: async ({ oidc }) => {
        const { clientId } = oidc.client!;
        const grant = new provider.Grant({ clientId, accountId: oidc.session!.accountId! });
        grant.addOIDCScope('openid');
        await grant.save();
        return grant;
      },
    });
    const answer = provider.callback();
    this.#server.on('request', (request, response) => {
      const [, page, uid, user] = request.url!.split('/');
      if (page !== 'interaction') void answer(request, response);
      else if (user !== undefined) void this.#signIn(provider, user, request, response);
      else
        response
          .setHeader('Content-Type', 'text/html')
          .end(['olga', 'mika', 'cancel'].map((each) => `<a href="${uid}/${each}">${each}</a>`).join(' '));
    });
  }

  /** The environment of a gateway whose console signs in here. */
  get environment(): Record<string, string> {
    return {
      SESSION_ISSUER: this.url,
      SESSION_AUDIENCE: 'action-platform',
      SESSION_JWKS_URL: `${this.url}/jwks`,
      CONSOLE_CLIENT_ID: CLIENT,
    };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #signIn(provider: Provider, user: string, request: IncomingMessage, response: ServerResponse) {
    const ts = Math.floor(Date.now() / 1000) - this.signedInAgo;
    const result = user === 'cancel' ? { error: 'access_denied' } : { login: { accountId: user, ts } };
    await provider.interactionFinished(request, response, result);
  }
}
