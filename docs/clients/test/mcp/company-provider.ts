import { freePort } from '@action-platform/local-servers';
import * as client from 'openid-client';
import { startProvider } from './authorization-server.ts';
import { followRedirects } from './follow-redirects.ts';

const CONSOLE = 'console';
const FRESH_SECONDS = '300';

/** The provider of a company, which knows the console, and registers no other program. */
export class CompanyProvider {
  readonly issuer: string;
  readonly stop: () => void;
  readonly #redirectUri: string;

  private constructor(issuer: string, redirectUri: string, stop: () => void) {
    this.issuer = issuer;
    this.#redirectUri = redirectUri;
    this.stop = stop;
  }

  /** @param platform the address of the platform whose console it knows. @param workspace the id in its tokens */
  static async start(platform: string, workspace: () => string): Promise<CompanyProvider> {
    const redirectUri = `${platform}/console`;
    const port = await freePort();
    const known = {
      client_id: CONSOLE,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    } as const;
    const configuration = {
      clients: [{ ...known, require_auth_time: true }],
      claims: { openid: ['sub', 'workspace_id'] },
      conformIdTokenClaims: false,
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, workspace_id: workspace() }),
      }),
    };
    const stop = await startProvider(port, configuration, (grant) => grant.addOIDCScope('openid'));
    return new CompanyProvider(`http://127.0.0.1:${port}`, redirectUri, stop);
  }

  /** The variables of a platform whose Members sign in here. */
  get environment(): Record<string, string> {
    return {
      ...{ SESSION_ISSUER: this.issuer, SESSION_AUDIENCE: 'action-platform' },
      ...{ SESSION_JWKS_URL: `${this.issuer}/jwks`, CONSOLE_CLIENT_ID: CONSOLE },
    };
  }

  /** Signs the Member in as the console does; the session token of a sign-in of now. */
  async signIn(): Promise<string> {
    const insecure = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(this.issuer), CONSOLE, undefined, client.None(), insecure);
    const [verifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()];
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: this.#redirectUri,
      scope: 'openid',
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: FRESH_SECONDS,
    });
    const returned = await followRedirects(start, this.#redirectUri);
    const checks = { pkceCodeVerifier: verifier, expectedState, maxAge: Number(FRESH_SECONDS) };
    return (await client.authorizationCodeGrant(config, returned, checks)).id_token!;
  }
}
