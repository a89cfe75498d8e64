import { createServer } from 'node:http';
import { CompactSign, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listen } from './listen.ts';

/** A minimal OpenID Connect provider, which signs tokens and publishes its keys. */
export class TestIssuer {
  readonly issuer: string;
  readonly audience = 'action-platform';
  #published: JWK[] = [];
  #current: { privateKey: CryptoKey; kid: string; alg: string } | undefined;
  #url = '';
  #close = () => {};
  /** How often clients fetched its keys. */
  fetches = 0;
  /** While false, fetching the keys fails. */
  answering = true;

  constructor(issuer = 'https://issuer.test') {
    this.issuer = issuer;
  }

  /** The URL of its keys. */
  get jwksUrl(): string {
    return this.#url;
  }

  /** The environment that makes a gateway trust this issuer. */
  get environment(): Record<string, string> {
    return { SESSION_ISSUER: this.issuer, SESSION_AUDIENCE: this.audience, SESSION_JWKS_URL: this.#url };
  }

  async start(alg = 'EdDSA'): Promise<void> {
    const server = createServer((_request, response) => {
      this.fetches++;
      if (!this.answering) response.writeHead(503).end();
      else response.end(JSON.stringify({ keys: this.#published }));
    });
    this.#url = `http://127.0.0.1:${await listen(server)}/jwks.json`;
    this.#close = () => server.close();
    await this.rotate(alg);
  }

  /** Signs with a new key from now on; the old ones stay published. */
  async rotate(alg = 'EdDSA'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = crypto.randomUUID();
    this.#published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
    this.#current = { privateKey, kid, alg };
  }

  /** Publishes further keys. */
  publish(keys: readonly JWK[]): void {
    this.#published.push(...keys);
  }

  /** Publishes only the current signing key from now on. */
  withdrawOldKeys(): void {
    this.#published = this.#published.filter(({ kid }) => kid === this.#current!.kid);
  }

  /** A session token; `claims` and `header` override those of a valid one (undefined omits a claim). */
  async token(
    member: { workspaceId: string; userId: string },
    claims: { readonly [Claim in keyof JWTPayload]?: unknown } = {},
    header: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const { privateKey, kid, alg } = this.#current!;
    const payload = {
      iss: this.issuer,
      aud: this.audience,
      sub: member.userId,
      workspace_id: member.workspaceId,
      exp: Math.floor(Date.now() / 1000) + 3600,
      ...claims,
    };
    return await new SignJWT(payload as JWTPayload)
      .setProtectedHeader({ alg, kid, ...header })
      .sign(privateKey);
  }

  /** A token with this text as its claims. */
  async signed(claims: string): Promise<string> {
    const { privateKey, kid, alg } = this.#current!;
    const signing = new CompactSign(new TextEncoder().encode(claims)).setProtectedHeader({ alg, kid });
    return await signing.sign(privateKey);
  }

  stop(): void {
    this.#close();
  }
}
