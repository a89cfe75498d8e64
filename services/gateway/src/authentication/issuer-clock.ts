/**
 * How far the clock of an issuer may be ahead, in seconds (RFC 7519, section 4.1.5). A clock that is behind needs no tolerance: its tokens
 * expire early, by `exp`.
 */
export const CLOCK_TOLERANCE_S = 30;

/** The latest time that an issuer may state as its present, in seconds since the epoch. */
export function latestIssuerTime(): number {
  return Math.floor(Date.now() / 1000) + CLOCK_TOLERANCE_S;
}
