import type { SessionCredential } from '@action-platform/contracts/calls';
import type { SessionIssuer } from '@action-platform/contracts/configuration';
import { codePointLength } from '@action-platform/contracts/schema';
import type { Logger } from '@action-platform/service-host';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { latestIssuerTime } from './issuer-clock.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { TokenRefused } from './token-refused.ts';
import { decodeToken, isTime, VERIFIED_AT_ONCE, verifySignature } from './verify-signature.ts';

/** The capacity of the cache of verified tokens. */
const REMEMBERED_TOKENS = 10_000;
const MAX_CLAIM_LENGTH = 255;

/** The claims of a session token that the platform uses. */
type SessionClaims = Omit<SessionCredential, 'kind'>;

/** An issuer whose tokens are accepted. */
interface Accepted extends Omit<SessionIssuer, 'audience'> {
  /** A token names at least one of them (RFC 7519, section 4.1.3). */
  readonly audience: string | string[];
  /** The audience whose tokens tell when their user signed in. */
  readonly signInAudience?: string;
  /** The issuer's keys, where another verification uses them already. */
  readonly keys?: IssuerKeys;
}

interface SessionTokensOptions {
  readonly issuers: readonly Accepted[];
  /** The longest lifetime of a token, in seconds. */
  readonly maxLifetime: number;
  readonly log: Logger;
}

/** Tokens for a further audience. */
interface FurtherTokens {
  readonly servers: readonly string[];
  readonly audience: string;
  /** Whether their `auth_time` is when the user signed in. */
  readonly tellsSignIn?: boolean;
}

interface Trusted extends Accepted {
  readonly keys: IssuerKeys;
}

interface Verified {
  readonly claims: SessionClaims;
  readonly keys: IssuerKeys;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
  /** In milliseconds of `performance.now()`. */
  readonly rememberedUntil: number;
}

/**
 * Verifies Member session tokens: JWTs (RFC 7519) signed by one of the configured issuers. A signature that was verified
 * is cached until its keys expire; the Member's authority is not cached.
 */
export class SessionTokens {
  readonly #issuers: ReadonlyMap<unknown, Trusted>;
  readonly #maxLifetimeMs: number;
  readonly #log: Logger;
  readonly #verified = new LRUCache<string, Verified>({ max: REMEMBERED_TOKENS });
  readonly #verifying = pLimit(VERIFIED_AT_ONCE);

  constructor({ issuers, maxLifetime, log }: SessionTokensOptions) {
    const trusted = issuers.map((issuer) => ({
      ...issuer,
      keys: issuer.keys ?? new IssuerKeys(issuer, log),
    }));
    this.#issuers = new Map(trusted.map((issuer) => [issuer.issuer, issuer]));
    this.#maxLifetimeMs = maxLifetime * 1000;
    this.#log = log;
  }

  /** Verifies the same tokens, and those that some of the issuers make for a further audience. The issuers' keys are shared. */
  alsoFor({ servers, audience, tellsSignIn = false }: FurtherTokens): SessionTokens {
    const further = tellsSignIn ? { signInAudience: audience } : {};
    const issuers = [...this.#issuers.values()].map((issuer) =>
      servers.includes(issuer.issuer)
        ? { ...issuer, ...further, audience: [issuer.audience, audience].flat() }
        : issuer,
    );
    return new SessionTokens({ issuers, maxLifetime: this.#maxLifetimeMs / 1000, log: this.#log });
  }

  /** The hosts of the issuers whose keys cannot be fetched. */
  async missingIssuers(): Promise<string[]> {
    const all = await Promise.all([...this.#issuers.values()].map(({ keys }) => keys.reachable()));
    return all.filter(({ isReachable }) => !isReachable).map(({ host }) => host);
  }

  /** Fetches the keys of all issuers, so that a wrong address is in the log before the first session. */
  fetchKeys(): void {
    for (const { keys } of this.#issuers.values()) keys.keepFresh();
  }

  /**
   * The claims of a valid token. Throws TokenRefused: `token_expired`, `invalid_token`, or `action_platform_unavailable`
   * when the issuer's keys cannot be fetched, or not before the deadline.
   *
   * @param deadline in milliseconds of `performance.now()`
   */
  async verify(token: string, deadline = Number.POSITIVE_INFINITY): Promise<SessionClaims> {
    const known = this.#verified.get(token);
    if (known !== undefined && performance.now() < known.rememberedUntil) {
      known.keys.keepFresh();
      if (known.expiresAt <= Date.now()) throw TokenRefused.expired();
      return known.claims;
    }
    const { header, iss } = decodeToken(token);
    const issuer = this.#issuerOf(iss);
    const { keys } = issuer;
    // `find` may return the present keys while it fetches later ones in the background.
    const presentUntil = keys.usableUntil;
    const arePresent = performance.now() < presentUntil;
    const payload = await this.#payloadOf(token, header, issuer, deadline).catch((error: unknown) => {
      throw TokenRefused.because(error, [issuer.audience].flat().join(' or '));
    });
    const expiresAt = this.#expiryOf(payload);
    const claims = readClaims(payload, issuer);
    const rememberedUntil = arePresent ? presentUntil : keys.usableUntil;
    this.#verified.set(token, { claims, keys, expiresAt, rememberedUntil });
    return claims;
  }

  /** Whether a token was verified before that has not expired. */
  hasSeen(token: string): boolean {
    const known = this.#verified.get(token);
    return known !== undefined && Date.now() < known.expiresAt;
  }

  /** The claims of a valid token whose signature is in the cache. */
  remembered(token: string): SessionClaims | undefined {
    const known = this.#verified.get(token);
    if (known === undefined || performance.now() >= known.rememberedUntil) return undefined;
    return Date.now() < known.expiresAt ? known.claims : undefined;
  }

  /** The verified payload. Waiting for the keys of one issuer holds up no session of another one: the limit is for the signatures. */
  async #payloadOf(
    token: string,
    header: JWTHeaderParameters,
    issuer: Trusted,
    deadline: number,
  ): Promise<JWTPayload> {
    const keys = await issuer.keys.find(header, deadline);
    const { issuer: iss, audience, user_claim, workspace_claim } = issuer;
    const required = ['exp', user_claim, workspace_claim];
    return await this.#verifying(verifySignature, token, keys, { issuer: iss, audience, required });
  }

  /** The issuer that a token claims: its keys verify it. */
  #issuerOf(iss: unknown): Trusted {
    if (iss === undefined) throw TokenRefused.claim('iss', 'missing', 'The session token has no claim iss.');
    const issuer = this.#issuers.get(iss);
    if (issuer === undefined)
      throw TokenRefused.ofIssuer([...this.#issuers.values()].map((each) => each.issuer));
    return issuer;
  }

  /** When a token ends, in milliseconds since the epoch. */
  #expiryOf({ exp, iat, nbf }: JWTPayload): number {
    const odd = Object.entries({ exp, iat, nbf }).find(([, claim]) => !isTime(claim));
    if (odd !== undefined) throw malformed(odd[0]);
    const expiresAt = exp! * 1000;
    if (expiresAt <= Date.now()) throw TokenRefused.expired();
    // The life of a token begins now, by the clock of its issuer, when its `iat` is absent or in the future.
    const issuedAt = Math.min(iat ?? Number.POSITIVE_INFINITY, latestIssuerTime());
    if (expiresAt - issuedAt * 1000 <= this.#maxLifetimeMs) return expiresAt;
    const message = `The session token lives longer than the ${this.#maxLifetimeMs / 1000} seconds that are allowed (exp).`;
    throw TokenRefused.claim('exp', 'later than SESSION_MAX_LIFETIME allows', message);
  }
}

function readClaims(
  payload: JWTPayload,
  { user_claim, workspace_claim, workspaces, signInAudience }: Accepted,
): SessionClaims {
  const userId = readId(payload, user_claim);
  const workspaceId = readId(payload, workspace_claim);
  if (workspaces === undefined || workspaces.includes(workspaceId))
    return { userId, workspaceId, ...signInOf(payload, signInAudience) };
  const message = 'The issuer of the session token may not speak for the Workspace that it names.';
  throw TokenRefused.claim(workspace_claim, 'is none of the workspaces of its issuer', message);
}

/** When the user of a token signed in, if the token is for an audience whose tokens tell it. */
function signInOf({ aud, auth_time: authTime }: JWTPayload, audience: string | undefined) {
  const isForAudience = audience !== undefined && [aud].flat().includes(audience);
  return isForAudience && typeof authTime === 'number' && isTime(authTime) ? { authTime } : {};
}

function readId(payload: JWTPayload, claim: string): string {
  const value = payload[claim];
  if (typeof value === 'string' && value !== '' && codePointLength(value) <= MAX_CLAIM_LENGTH) return value;
  throw malformed(claim);
}

function malformed(claim: string): TokenRefused {
  return TokenRefused.claim(claim, 'malformed', `The claim ${claim} of the session token is malformed.`);
}
