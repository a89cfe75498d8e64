import type { SessionCredential } from '@action-platform/contracts/calls';
import { FRESH_SIGN_IN_SECONDS } from '@action-platform/contracts/errors';
import { latestIssuerTime } from './issuer-clock.ts';

/** Whether a Member has just signed in at the console: a token of the console has the time, and no other session has one. */
export function isFresh({ authTime }: Pick<SessionCredential, 'authTime'>): boolean {
  if (authTime === undefined) return false;
  // Tokens have whole seconds (RFC 7519, section 2, NumericDate).
  const age = Math.floor(Date.now() / 1000) - authTime;
  return age <= FRESH_SIGN_IN_SECONDS && authTime <= latestIssuerTime();
}
