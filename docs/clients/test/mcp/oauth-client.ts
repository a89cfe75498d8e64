import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { SCOPE } from './authorization-server.ts';

const MOST_REDIRECTS = 20;

const redirectUrl = 'http://127.0.0.1:9/callback';

/** A program's part of sign-in: it keeps what it receives in memory, and its user accepts everything. */
export class OAuthClient implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code'],
    scope: SCOPE,
    token_endpoint_auth_method: 'none',
  };
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  /** The address to which the authorization server sent the user back. */
  returned: URL | undefined;

  clientInformation() {
    return this.#information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.#information = information;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  /** Follows the redirects of the sign-in, as a browser with cookies does. */
  async redirectToAuthorization(start: URL) {
    const cookies = new Map<string, string>();
    let url = start;
    for (let redirects = 0; !url.href.startsWith(redirectUrl); redirects++) {
      if (redirects === MOST_REDIRECTS) throw new Error(`The sign-in does not end: ${url.pathname}`);
      const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { Cookie } });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url.pathname}: ${response.status}: ${await response.text()}`);
      url = new URL(location, url);
    }
    this.returned = url;
  }
}
