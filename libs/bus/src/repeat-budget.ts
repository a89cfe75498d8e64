/** How many messages more than the first one each question is good for. */
const EARNED = 2;
/** How many of them may be saved up: enough for all that a gateway has under way when a replica dies. */
const MOST_SAVED = 1_000;

/**
 * How often questions may be asked again: on average twice each, and some more while few are asked. When one of two
 * replicas hangs, that is enough for its questions to find the other. When all of them are slow because too much is
 * asked, asking all of it again and again would keep them so.
 */
export class RepeatBudget {
  #left = MOST_SAVED;

  /** A question was asked. */
  earn(): void {
    this.#left = Math.min(this.#left + EARNED, MOST_SAVED);
  }

  /** Whether a question may be asked once more; then it is counted. */
  spend(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }
}
