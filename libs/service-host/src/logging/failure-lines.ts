import { TokenBucket } from '@action-platform/admission';

/** How many lines on failures a process writes in a second; with many failures, more would repeat the same. */
const PER_SECOND = 20;
const SAVED_SECONDS = 5;

/** How many lines of one kind may be written of failures. */
export function failureLines(): TokenBucket {
  return new TokenBucket(PER_SECOND, SAVED_SECONDS);
}
