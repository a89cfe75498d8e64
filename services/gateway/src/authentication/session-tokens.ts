import { ActionError, type SessionClaims } from '@action-platform/contracts';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

/** Signatures that session tokens may carry: asymmetric ones only. */
const ALGORITHMS = ['EdDSA', 'ES256', 'RS256', 'PS256'];
/** How many verified tokens are remembered. */
const REMEMBERED_TOKENS = 10_000;
/**
 * How long the issuer's keys are used before they are fetched again, and how long a signature verified with them is
 * remembered, in milliseconds: together a minute, within which a key that the issuer has withdrawn stops counting.
 */
const KEYS_MAX_AGE_MS = 30_000;
const SIGNATURE_MAX_AGE_MS = 30_000;
/** How soon the issuer's keys may be fetched again when a token names an unknown one, in milliseconds. */
const KEY_FETCH_COOLDOWN_MS = 5_000;
/** Longer user and workspace ids than this are nobody's. */
const MAX_CLAIM_LENGTH = 255;

/** The last moment that a Date can hold, in seconds since the epoch. */
const END_OF_TIME = 8_640_000_000_000;

/** Where session tokens come from and whom they are for. */
export interface SessionConfig {
  SESSION_ISSUER: string;
  SESSION_AUDIENCE: string;
  SESSION_JWKS_URL: string;
  SESSION_MAX_LIFETIME: number;
}

interface Verified {
  readonly claims: SessionClaims;
  /** Both in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly rememberedUntil: number;
}

/**
 * Verifies Member session tokens: JWTs (RFC 7519) signed by the configured issuer. A signature that was
 * verified is remembered for a moment; what the Member may do never is.
 */
export class SessionTokens {
  readonly #config: SessionConfig;
  readonly #keys: JWTVerifyGetKey;
  readonly #verified = new LRUCache<string, Verified>({
    max: REMEMBERED_TOKENS,
  });

  constructor(config: SessionConfig) {
    this.#config = config;
    this.#keys = createRemoteJWKSet(new URL(config.SESSION_JWKS_URL), {
      cooldownDuration: KEY_FETCH_COOLDOWN_MS,
      cacheMaxAge: KEYS_MAX_AGE_MS,
    });
  }

  /**
   * The claims of a valid token. Throws ActionError `token_expired`, `invalid_token`, or
   * `action_platform_unavailable` when the issuer's keys cannot be fetched.
   */
  async verify(token: string): Promise<SessionClaims> {
    const known = this.#verified.get(token);
    const now = Date.now();
    if (known !== undefined && now < known.rememberedUntil) {
      if (known.expiresAt <= now) throw new ActionError('token_expired');
      return known.claims;
    }
    const payload = await this.#verifySignature(token).catch((error: unknown) => {
      throw refusal(error);
    });
    if (![payload.exp, payload.iat, payload.nbf].every(isTime)) throw new ActionError('invalid_token');
    const claims = readClaims(payload);
    const expiresAt = payload.exp! * 1000;
    // A token that does not say when it was issued, or says that it will be, lives from now on.
    const issuedAt = typeof payload.iat === 'number' ? Math.min(payload.iat * 1000, now) : now;
    if (expiresAt - issuedAt > this.#config.SESSION_MAX_LIFETIME * 1000)
      throw new ActionError('invalid_token');
    this.#verified.set(token, { claims, expiresAt, rememberedUntil: now + SIGNATURE_MAX_AGE_MS });
    return claims;
  }

  /** Whether a token was once verified. */
  hasSeen(token: string): boolean {
    return this.#verified.has(token);
  }

  /** The claims of a token whose signature was verified lately and that is still valid. */
  remembered(token: string): SessionClaims | undefined {
    const known = this.#verified.get(token);
    return known !== undefined && Date.now() < Math.min(known.rememberedUntil, known.expiresAt)
      ? known.claims
      : undefined;
  }

  async #verifySignature(token: string): Promise<JWTPayload> {
    const options = {
      issuer: this.#config.SESSION_ISSUER,
      audience: this.#config.SESSION_AUDIENCE,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub', 'workspace_id'],
    };
    try {
      return (await jwtVerify(token, this.#keys, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // A token without a key id: any of the issuer's keys may have signed it.
      for await (const key of error) {
        try {
          return (await jwtVerify(token, key, options)).payload;
        } catch (attempt) {
          if (!(attempt instanceof errors.JWSSignatureVerificationFailed)) throw attempt;
        }
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  }
}

/** Whether a claim is a time (RFC 7519, section 2, NumericDate) or absent. JSON can say `1e999`, which is no time. */
function isTime(claim: unknown): boolean {
  return claim === undefined || (typeof claim === 'number' && Math.abs(claim) <= END_OF_TIME);
}

function readClaims({ sub, workspace_id }: JWTPayload): SessionClaims {
  const isId = (value: unknown): value is string =>
    typeof value === 'string' && value.length > 0 && value.length <= MAX_CLAIM_LENGTH;
  if (!isId(sub) || !isId(workspace_id)) throw new ActionError('invalid_token');
  return { userId: sub, workspaceId: workspace_id };
}

/** A token that fails is the caller's matter; keys that cannot be fetched are ours. */
function refusal(error: unknown): ActionError {
  if (error instanceof errors.JWTExpired) return new ActionError('token_expired');
  const isOurs =
    !(error instanceof errors.JOSEError) ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC';
  return isOurs ? new ActionError('action_platform_unavailable') : new ActionError('invalid_token');
}
