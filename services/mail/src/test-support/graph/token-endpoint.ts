import { hash, randomUUID } from 'node:crypto';
import { type StandInAnswer, signInError } from './stand-in-answer.ts';

/** A code that the sign-in page gave. */
interface AuthorizationCode {
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  readonly method: string;
  readonly person: string;
  isRedeemed?: boolean;
}

/** The sign-in page and the token endpoint of a tenant (Microsoft Entra ID) that knows one application. */
export class TokenEndpoint {
  readonly tenant = randomUUID();
  /** The application. */
  readonly clientId = randomUUID();
  readonly secret = `SECRET-${randomUUID()}`;
  /** The valid access tokens. */
  readonly #tokens = new Set<string>();
  /** The people who signed in, by refresh token. */
  readonly #people = new Map<string, string>();
  /** The codes that the sign-in page has given. */
  readonly #codes = new Map<string, AuthorizationCode>();
  /** The redirect address of the application, as a public client. */
  redirectUri = 'https://platform.example.com/console/connected';
  /** The user name of the person at the browser, who consents. */
  readonly person = 'ada@example.com';
  /** How many tokens the endpoint has given. */
  given = 0;
  /** Whether a refresh token counts once (RFC 9700, section 4.14.2). */
  replacesRefreshTokens = false;
  /** Whether the endpoint refuses every token that it gives. */
  acceptsNone = false;
  /** The scopes that the endpoint gives tokens for. */
  readonly scopes: Set<string>;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
    this.scopes = new Set([`${origin}/.default`]);
  }

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

  /** Whether a request has a valid access token. */
  accepts(authorization = ''): boolean {
    return !this.acceptsNone && this.#tokens.has(authorization.replace(/^Bearer /, ''));
  }

  /** The answer to a request below the address of the tokens; undefined for an unknown address. */
  answer(path: string, form: URLSearchParams): StandInAnswer | undefined {
    const [, tenant, ...rest] = path.split('/');
    const asked = rest.join('/');
    if (asked !== 'oauth2/v2.0/token' && asked !== 'oauth2/v2.0/authorize') return undefined;
    if (tenant !== this.tenant) return signInError('invalid_tenant', 90002);
    if (form.get('client_id') !== this.clientId) return signInError('unauthorized_client', 700016);
    return asked === 'oauth2/v2.0/authorize' ? this.#signInPage(form) : this.#give(form);
  }

  /** "Request an authorization code": the person signs in and consents. */
  #signInPage(query: URLSearchParams): StandInAnswer {
    const get = (name: string) => query.get(name) ?? '';
    const redirect_uri = get('redirect_uri');
    // `redirect_uri` must be exactly one of those that are registered.
    if (redirect_uri !== this.redirectUri) return signInError('invalid_request', 50011);
    const isCode = get('response_type') === 'code' && get('response_mode') === 'query';
    if (!isCode) return signInError('unsupported_response_type', 700054);
    const code = `SECRET-${randomUUID()}`;
    const { person } = this;
    const [scopes, challenge] = [get('scope').split(' '), get('code_challenge')];
    this.#codes.set(code, { redirect_uri, scopes, challenge, method: get('code_challenge_method'), person });
    const to = new URL(redirect_uri);
    to.search = String(new URLSearchParams({ state: get('state'), code }));
    return { status: 302, headers: { location: to.href } };
  }

  /** "Redeem a code for an access token", as a public client, which must not use a secret. */
  #redeem(form: URLSearchParams): StandInAnswer {
    if (form.has('client_secret')) return signInError('invalid_client', 700025, 401);
    const code = this.#codes.get(form.get('code') ?? '');
    if (code === undefined) return signInError('invalid_grant', 70000);
    const problem = problemOf(code, form);
    if (problem !== undefined) return signInError('invalid_grant', problem);
    code.isRedeemed = true;
    const { refresh_token, ...tokens } = this.#personal(code.person);
    const body = {
      ...tokens,
      ...(code.scopes.includes('offline_access') && { refresh_token }),
      ...(code.scopes.includes('openid') && { id_token: this.#idToken(code) }),
    };
    return { status: 200, body };
  }

  /** "ID token claims reference". Its signature is not that of a key. */
  #idToken({ person, scopes }: AuthorizationCode): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      aud: this.clientId,
      iss: `${this.#origin}/${this.tenant}/v2.0`,
      iat: now,
      nbf: now,
      exp: now + 3600,
      sub: hash('sha256', person, 'base64url'),
      oid: randomUUID(),
      tid: this.tenant,
      ver: '2.0',
      ...(scopes.includes('profile') && { name: 'Ada', preferred_username: person }),
    };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    return `${encode({ typ: 'JWT', alg: 'RS256', kid: 'key-1' })}.${encode(claims)}.${Buffer.from('signature').toString('base64url')}`;
  }

  /** "OAuth 2.0 client credentials flow" and "Refresh tokens in the Microsoft identity platform". */
  #give(form: URLSearchParams): StandInAnswer {
    if (form.get('grant_type') === 'authorization_code') return this.#redeem(form);
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const person = this.#people.get(token);
      if (this.replacesRefreshTokens) this.#people.delete(token);
      return person === undefined
        ? signInError('invalid_grant', 700082)
        : { status: 200, body: this.#personal(person) };
    }
    if (form.get('client_secret') !== this.secret) return signInError('invalid_client', 7000215, 401);
    if (!this.scopes.has(form.get('scope') ?? '')) return signInError('invalid_scope', 70011);
    return { status: 200, body: this.#accessToken() };
  }

  #accessToken() {
    const token = `SECRET-${randomUUID()}`;
    this.#tokens.add(token);
    this.given += 1;
    return { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token };
  }

  /** Tokens of a person, with a refresh token that replaces the earlier, which stays valid. */
  #personal(person: string) {
    return { ...this.#accessToken(), scope: 'Mail.ReadWrite', refresh_token: this.signIn(person) };
  }
}

/** Microsoft's number of the reason why a code is refused; undefined when it counts. */
function problemOf(code: AuthorizationCode, form: URLSearchParams): number | undefined {
  if (code.isRedeemed) return 54005;
  if (form.get('redirect_uri') !== code.redirect_uri) return 50011;
  const verifier = form.get('code_verifier') ?? '';
  const challenge = code.method === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  return challenge === code.challenge ? undefined : 501481;
}
