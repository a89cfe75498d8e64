import { randomUUID } from 'node:crypto';
import { pages } from './pages.ts';
import { type Answer, signInError } from './stand-in-answer.ts';

/** The token endpoint of tenants (Microsoft Entra ID) that know one application. */
export class TokenEndpoint {
  /** The application. */
  readonly clientId = randomUUID();
  readonly secret = `SECRET-${randomUUID()}`;
  readonly tenants = new Set<string>();
  /** The tenant of each access token. */
  readonly #tokens = new Map<string, string>();
  /** The people who signed in, by refresh token. */
  readonly #people = new Map<string, string>();
  /** How many tokens it has given. */
  given = 0;
  /** Whether it refuses every token that it gives. */
  acceptsNone = false;
  /** The scopes that it gives tokens for besides its own. */
  readonly scopes = new Set<string>();

  /** Makes every token of before invalid, long before its time. */
  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** Signs a person in, and returns their refresh token. */
  signIn(person: string = randomUUID()): string {
    const token = `SECRET-${randomUUID()}`;
    this.#people.set(token, person);
    return token;
  }

  /** The tenant of an accepted access token. */
  tenantOf(authorization: string | undefined): string | undefined {
    return this.acceptsNone ? undefined : this.#tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
  }

  /** The answer to a request below the address of the tokens; undefined for an unknown address. */
  answer(origin: string, path: string, form: URLSearchParams): Answer | undefined {
    const [, tenant = '', ...rest] = path.split('/');
    if (rest.join('/') !== 'oauth2/v2.0/token') return undefined;
    if (!this.tenants.has(tenant)) return signInError('invalid_tenant', 90002, pages.signInErrors);
    return this.#give(origin, tenant, form);
  }

  #give(origin: string, tenant: string, form: URLSearchParams): Answer {
    if (form.get('client_id') !== this.clientId)
      return signInError('unauthorized_client', 700016, pages.signInErrors);
    if (form.get('grant_type') === 'client_credentials' && form.get('client_secret') !== this.secret)
      return signInError('invalid_client', 7000215, pages.signInErrors, 401);
    const person = this.#people.get(form.get('refresh_token') ?? '');
    if (form.get('grant_type') === 'refresh_token') {
      return person === undefined
        ? signInError('invalid_grant', 700082, pages.signInErrors)
        : { status: 200, body: this.#personal(tenant, person), follows: pages.refreshTokens };
    }
    const scope = form.get('scope') ?? '';
    if (scope !== `${origin}/.default` && !this.scopes.has(scope))
      return signInError('invalid_scope', 70011, pages.signInErrors);
    return { status: 200, body: this.#accessToken(tenant), follows: pages.clientCredentials };
  }

  #accessToken(tenant: string) {
    const token = `SECRET-${randomUUID()}`;
    this.#tokens.set(token, tenant);
    this.given += 1;
    return { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token };
  }

  /** Tokens of a person, with a refresh token that replaces the earlier, which stays valid. */
  #personal(tenant: string, person: string) {
    return {
      ...this.#accessToken(tenant),
      scope: 'Mail.ReadWrite',
      refresh_token: this.signIn(person),
    };
  }
}
