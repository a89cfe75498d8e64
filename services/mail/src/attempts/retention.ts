const DAY_MS = 86_400_000;

/** How long an attempt is kept, in milliseconds. */
export const retention = {
  /** Longer than any grant lives, so that a job cannot come back to a key that was forgotten. */
  submissionMs: 400 * DAY_MS,
  /** No key depends on a refusal; it is kept for people who look into it. */
  denialMs: 90 * DAY_MS,
} as const;
