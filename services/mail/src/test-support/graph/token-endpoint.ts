import { hash, randomUUID } from 'node:crypto';
import { type AuthorizationCode, problemOf } from './authorization-code.ts';
import { pages } from './pages.ts';
import { type Answer, signInError } from './stand-in-answer.ts';

/** The sign-in page and the token endpoint of tenants (Microsoft Entra ID) that know one application. */
export class TokenEndpoint {
  /** The application. */
  readonly clientId = randomUUID();
  readonly secret = `SECRET-${randomUUID()}`;
  readonly tenants = new Set<string>();
  /** The tenant of each access token. */
  readonly #tokens = new Map<string, string>();
  /** The people who signed in, by refresh token. */
  readonly #people = new Map<string, string>();
  /** The codes that the sign-in page has given. */
  readonly codes = new Map<string, AuthorizationCode>();
  /** The redirect address of the application, as a public client. */
  redirectUri = 'https://platform.example.com/console/connected';
  /** The user name of the person at the browser; undefined for one who declines. */
  person: string | undefined = 'ada@example.com';
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
    const asked = rest.join('/');
    if (asked !== 'oauth2/v2.0/token' && asked !== 'oauth2/v2.0/authorize') return undefined;
    if (!this.tenants.has(tenant)) return signInError('invalid_tenant', 90002, pages.signInErrors);
    return asked === 'oauth2/v2.0/authorize' ? this.#signInPage(form) : this.#give(origin, tenant, form);
  }

  /** "Request an authorization code": the person signs in and consents, or declines. */
  #signInPage(query: URLSearchParams): Answer {
    const get = (name: string) => query.get(name) ?? '';
    const follows = pages.authorizationCode;
    if (get('client_id') !== this.clientId) return signInError('unauthorized_client', 700016, follows);
    const redirect_uri = get('redirect_uri');
    // It must be exactly one of those that are registered.
    if (redirect_uri !== this.redirectUri) return signInError('invalid_request', 50011, follows);
    const isCode = get('response_type') === 'code' && get('response_mode') === 'query';
    if (!isCode) return signInError('unsupported_response_type', 700054, follows);
    const to = new URL(redirect_uri);
    to.searchParams.set('state', get('state'));
    if (this.person === undefined) to.searchParams.set('error', 'access_denied');
    else {
      const code = `SECRET-${randomUUID()}`;
      const [scopes, challenge] = [get('scope').split(' '), get('code_challenge')];
      const method = get('code_challenge_method');
      this.codes.set(code, {
        redirect_uri,
        scopes,
        challenge,
        method,
        person: this.person,
        givenAt: Date.now(),
      });
      to.searchParams.set('code', code);
    }
    return { status: 302, headers: { location: to.href }, follows };
  }

  /** "Redeem a code for an access token", as a public client, which must not use a secret. */
  #redeem(origin: string, tenant: string, form: URLSearchParams): Answer {
    const follows = pages.authorizationCode;
    if (form.has('client_secret')) return signInError('invalid_client', 700025, follows, 401);
    const code = this.codes.get(form.get('code') ?? '');
    if (code === undefined) return signInError('invalid_grant', 70000, follows);
    const problem = problemOf(code, form);
    if (problem !== undefined) return signInError('invalid_grant', problem, follows);
    code.isRedeemed = true;
    const { refresh_token, ...tokens } = this.#personal(tenant, code.person);
    const body = {
      ...tokens,
      ...(code.scopes.includes('offline_access') && { refresh_token }),
      ...(code.scopes.includes('openid') && { id_token: this.#idToken(origin, tenant, code) }),
    };
    return { status: 200, body, follows };
  }

  /** "ID token claims reference". Its signature is not that of a key. */
  #idToken(origin: string, tenant: string, { person, scopes }: AuthorizationCode): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      aud: this.clientId,
      iss: `${origin}/${tenant}/v2.0`,
      iat: now,
      nbf: now,
      exp: now + 3600,
      sub: hash('sha256', person, 'base64url'),
      oid: randomUUID(),
      tid: tenant,
      ver: '2.0',
      ...(scopes.includes('profile') && { name: 'Ada', preferred_username: person }),
    };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    return `${encode({ typ: 'JWT', alg: 'RS256', kid: 'key-1' })}.${encode(claims)}.${Buffer.from('signature').toString('base64url')}`;
  }

  #give(origin: string, tenant: string, form: URLSearchParams): Answer {
    if (form.get('client_id') !== this.clientId)
      return signInError('unauthorized_client', 700016, pages.signInErrors);
    if (form.get('grant_type') === 'authorization_code') return this.#redeem(origin, tenant, form);
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
