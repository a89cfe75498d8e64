import type { Allowance } from '@action-platform/admission';
import {
  ActionError,
  type Credential,
  grantSecretPrefixes,
  hashGrantSecret,
  isGrantSecret,
} from '@action-platform/contracts';
import type { SessionTokens } from './session-tokens.ts';

const secretPrefixes = Object.values(grantSecretPrefixes);

/** Finds out who is calling. */
export class Authenticator {
  readonly #sessions: SessionTokens;

  readonly #strangers: Allowance;

  /** @param strangers how many tokens that were never seen are verified. */
  constructor(sessions: SessionTokens, strangers: Allowance) {
    this.#sessions = sessions;
    this.#strangers = strangers;
  }

  /**
   * The credential in an Authorization header (RFC 6750, section 2.1). Throws ActionError
   * `authentication_required`, `invalid_token` or `token_expired`, or `action_platform_unavailable` when
   * more tokens than can be verified were never seen before. A grant secret is only checked for its
   * form: whether it is live is for the grants service to say.
   */
  async authenticate(authorization: string | undefined): Promise<Credential> {
    const token = bearerToken(authorization);
    if (!token) throw new ActionError('authentication_required');
    if (!isSecret(token)) {
      if (!this.#sessions.hasSeen(token) && !this.#strangers.take()) throw tooManyStrangers();
      return { kind: 'session', ...(await this.#sessions.verify(token)) };
    }
    if (!isGrantSecret(token)) throw new ActionError('invalid_token');
    return { kind: 'grant', secretHash: hashGrantSecret(token) };
  }

  /** The credential in an Authorization header when it takes nothing to tell: a grant's, or a session seen lately. */
  known(authorization: string | undefined): Credential | undefined {
    const token = bearerToken(authorization);
    if (!token) return undefined;
    if (isSecret(token)) {
      return isGrantSecret(token) ? { kind: 'grant', secretHash: hashGrantSecret(token) } : undefined;
    }
    const claims = this.#sessions.remembered(token);
    return claims === undefined ? undefined : { kind: 'session', ...claims };
  }
}

/** More callers come than can be found out about. */
export function tooManyStrangers(): ActionError {
  return new ActionError('action_platform_unavailable', { retryAfter: 1 });
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
}

function isSecret(token: string): boolean {
  return secretPrefixes.some((prefix) => token.startsWith(prefix));
}
