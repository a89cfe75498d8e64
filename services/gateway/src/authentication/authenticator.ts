import type { TokenBucket } from '@action-platform/admission';
import { grantSecretPrefixes, hashGrantSecret, isGrantSecret } from '@action-platform/contracts/authority';
import type { Credential } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { RefusalLog, RefusedRequest } from './refusal-log.ts';
import type { SessionTokens } from './session-tokens.ts';
import { TokenRefused } from './token-refused.ts';

const { operation, routine, access } = grantSecretPrefixes;
const secretPrefixes = [operation, routine, access];

/** The secrets that grants has known. Anyone can make one of the right form. */
interface KnownGrants {
  knows(secretHash: string): boolean;
}

/** Authenticates callers. */
export class Authenticator {
  readonly #sessions: SessionTokens;
  readonly #refusals: RefusalLog;
  readonly #unauthenticated: TokenBucket;
  readonly #knownGrants: KnownGrants;

  /** @param unauthenticated limits how many unknown tokens are verified, and how many unknown secrets reach grants. */
  constructor(
    sessions: SessionTokens,
    refusals: RefusalLog,
    unauthenticated: TokenBucket,
    knownGrants: KnownGrants,
  ) {
    this.#sessions = sessions;
    this.#refusals = refusals;
    this.#unauthenticated = unauthenticated;
    this.#knownGrants = knownGrants;
  }

  /**
   * The credential in an Authorization header (RFC 6750, section 2.1). Throws ActionError `authentication_required`, or
   * TokenRefused (`invalid_token`, `token_expired`, `action_platform_unavailable`), which it logs, or
   * `action_platform_unavailable` when unknown tokens exceed their rate limit. `authenticate` checks only the form of a
   * grant secret; the grants service decides whether the grant is active.
   *
   * @param asked the request with the header, and the deadline of its answer in milliseconds of `performance.now()`.
   */
  async authenticate(
    authorization: string | undefined,
    asked: RefusedRequest & { readonly deadline: number },
  ): Promise<Credential> {
    const token = bearerToken(authorization);
    if (!token) throw withoutToken(authorization);
    try {
      return await this.#credential(token, asked.deadline);
    } catch (error) {
      if (error instanceof TokenRefused) this.#refusals.note(error, asked);
      throw error;
    }
  }

  /** The credential in an Authorization header if it was known before: a grant's, or a session in the cache. */
  known(authorization: string | undefined): Credential | undefined {
    const token = bearerToken(authorization);
    if (!token) return undefined;
    if (isSecret(token)) {
      const secretHash = hashGrantSecret(token);
      return this.#knownGrants.knows(secretHash) ? grantCredential(token, secretHash) : undefined;
    }
    const claims = this.#sessions.remembered(token);
    return claims === undefined ? undefined : { kind: 'session', ...claims };
  }

  async #credential(token: string, deadline: number): Promise<Credential> {
    if (!isSecret(token)) {
      if (!this.#sessions.hasSeen(token)) this.#takeUnauthenticated();
      return { kind: 'session', ...(await this.#sessions.verify(token, deadline)) };
    }
    if (!isGrantSecret(token)) {
      const message = 'The grant secret is malformed: was it copied whole?';
      throw new TokenRefused('invalid_token', 'malformed grant secret', message);
    }
    const secretHash = hashGrantSecret(token);
    if (!this.#knownGrants.knows(secretHash)) this.#takeUnauthenticated();
    return grantCredential(token, secretHash);
  }

  #takeUnauthenticated(): void {
    if (!this.#unauthenticated.take()) throw tooManyUnauthenticated();
  }
}

/** The refusal of unauthenticated requests beyond their rate limit. */
export function tooManyUnauthenticated(): ActionError {
  return new ActionError('action_platform_unavailable', { retryAfter: 1 });
}

/** The refusal of an Authorization header without a bearer token. Its message quotes nothing of the header. */
function withoutToken(authorization: string | undefined): ActionError {
  const [scheme, credentials] = (authorization ?? '').trim().split(/ +/);
  if (scheme === '' || /^Bearer$/i.test(scheme!)) return new ActionError('authentication_required');
  const found = credentials === undefined ? 'no scheme' : 'a scheme other than Bearer';
  const message = `The Authorization header has ${found}; its form is Bearer <token>.`;
  return new ActionError('authentication_required', { message });
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
}

function grantCredential(token: string, secretHash: string): Credential {
  return { kind: 'grant', secretHash, ...(token.startsWith(access) && { isToken: true }) };
}

function isSecret(token: string): boolean {
  return secretPrefixes.some((prefix) => token.startsWith(prefix));
}
