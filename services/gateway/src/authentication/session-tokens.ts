import { ActionError, type SessionClaims } from '@action-platform/contracts';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

/** Signatures that session tokens may carry: asymmetric ones only. */
const ALGORITHMS = ['EdDSA', 'ES256', 'RS256', 'PS256'];
/** How many verified tokens are remembered. */
const REMEMBERED_TOKENS = 10_000;
/** How soon the issuer's keys may be fetched again when a token names an unknown one, in milliseconds. */
const KEY_FETCH_COOLDOWN_MS = 5_000;
/** Longer user and workspace ids than this are nobody's. */
const MAX_CLAIM_LENGTH = 255;

/** Where session tokens come from and whom they are for. */
export interface SessionConfig {
  SESSION_ISSUER: string;
  SESSION_AUDIENCE: string;
  SESSION_JWKS_URL: string;
}

/**
 * Verifies Member session tokens: JWTs (RFC 7519) signed by the configured issuer. A signature that was
 * verified is remembered until the token expires; what the Member may do never is.
 */
export class SessionTokens {
  readonly #config: SessionConfig;
  readonly #keys: JWTVerifyGetKey;
  readonly #verified = new LRUCache<string, { claims: SessionClaims; expiresAt: number }>({
    max: REMEMBERED_TOKENS,
  });

  constructor(config: SessionConfig) {
    this.#config = config;
    this.#keys = createRemoteJWKSet(new URL(config.SESSION_JWKS_URL), {
      cooldownDuration: KEY_FETCH_COOLDOWN_MS,
    });
  }

  /**
   * The claims of a valid token. Throws ActionError `token_expired`, `invalid_token`, or
   * `action_platform_unavailable` when the issuer's keys cannot be fetched.
   */
  async verify(token: string): Promise<SessionClaims> {
    const known = this.#verified.get(token);
    if (known !== undefined) {
      if (known.expiresAt <= Date.now()) throw new ActionError('token_expired');
      return known.claims;
    }
    const payload = await this.#verifySignature(token).catch((error: unknown) => {
      throw refusal(error);
    });
    const claims = readClaims(payload);
    this.#verified.set(token, { claims, expiresAt: payload.exp! * 1000 });
    return claims;
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
