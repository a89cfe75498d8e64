/** The repetitions that each request earns. */
const EARNED = 2;
/** The most repetitions saved: enough for everything a gateway has in flight when a replica dies. */
const MOST_SAVED = 1_000;

/**
 * The retry budget of reads: on average two repetitions for each request, and some more at low load. When one of two replicas
 * hangs, that is enough for its requests to reach the other. When all are overloaded, more repetitions would keep them so.
 */
export class RetryBudget {
  #left = MOST_SAVED;

  /** Counts a request. */
  earn(): void {
    this.#left = Math.min(this.#left + EARNED, MOST_SAVED);
  }

  /** Takes one repetition; false when none is left. */
  spend(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }
}
