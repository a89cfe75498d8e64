const HOUR_MS = 3_600_000;

/** The pauses after each failed attempt, in milliseconds (Standard Webhooks, "Delivery and retries"). */
export const RETRY_PAUSES_MS = [
  5_000,
  300_000,
  1_800_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
] as const;

/** A pause is longer by up to this share, so that the retries of many events spread. */
const JITTER = 0.1;

/**
 * The age from which a failed attempt is the last, in milliseconds: an event that waited behind an earlier one of its subject
 * does not begin another four days.
 */
const OLDEST_RETRIED_MS = 96 * HOUR_MS;

/** A failed attempt. */
interface Failed {
  /** How many attempts failed, with this one. */
  readonly attempts: number;
  /** How long ago the event was to be delivered first, in milliseconds. */
  readonly ageMs: number;
  /** The pause that the endpoint asked for (`Retry-After`), in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The pause before the next attempt, in milliseconds; undefined after the last one.
 *
 * @param random from 0 to 1.
 */
export function pauseAfter(
  { attempts, ageMs, retryAfterMs = 0 }: Failed,
  random: number,
): number | undefined {
  const pause = RETRY_PAUSES_MS[attempts - 1];
  if (pause === undefined || ageMs >= OLDEST_RETRIED_MS) return undefined;
  return Math.max(Math.round(pause * (1 + JITTER * random)), retryAfterMs);
}

/** The longest pause that an endpoint may ask for, in milliseconds. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;

/** The pause of a `Retry-After` (RFC 9110, section 10.2.3), in milliseconds; undefined for any other text. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
