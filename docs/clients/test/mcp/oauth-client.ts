import { SCOPE } from './authorization-server.ts';
import { redirectUrl, SignInClient } from './sign-in-client.ts';

const MOST_REDIRECTS = 20;

/** A program that signs in at an authorization server, whose user accepts everything. */
export class OAuthClient extends SignInClient {
  constructor() {
    super({ grant_types: ['authorization_code'], scope: SCOPE, token_endpoint_auth_method: 'none' });
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
