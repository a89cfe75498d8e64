import { TokenBucket } from '@action-platform/token-bucket';

/** How many lines a second a process writes of what failed; in a flood of failures the others say nothing new. */
const PER_SECOND = 20;
const SAVED_SECONDS = 5;

/** How many lines of one kind may be written of failures. */
export function failureLines(): TokenBucket {
  return new TokenBucket(PER_SECOND, SAVED_SECONDS);
}
