import { SCOPE } from './authorization-server.ts';
import { followRedirects } from './follow-redirects.ts';
import { redirectUrl, SignInClient } from './sign-in-client.ts';

/** A program that signs in at an authorization server, whose user accepts everything. */
export class OAuthClient extends SignInClient {
  constructor() {
    super({ grant_types: ['authorization_code'], scope: SCOPE, token_endpoint_auth_method: 'none' });
  }

  async redirectToAuthorization(start: URL) {
    this.returned = await followRedirects(start, redirectUrl);
  }
}
