import type { RetryBudget } from './retry-budget.ts';

/** The delay before a read without an answer is also sent to other replicas, by default, in milliseconds. */
const HEDGE_AFTER_MS = 1_500;

/** The most messages of one round. */
const MOST_AT_ONCE = 3;

/**
 * The hedge of a read: the caller sends the read again in rounds while no replica answers, and the first answer wins. A queue group picks a
 * replica at random and may pick one that hangs again, so the second round is two messages, the third and later ones three.
 */
export class Hedge {
  /** How long each round waits for an answer, in milliseconds. */
  readonly afterMs: number;
  readonly #budget: RetryBudget;
  readonly #fairnessKey: string | undefined;
  #rounds = 0;

  constructor(budget: RetryBudget, fairnessKey?: string, afterMs = HEDGE_AFTER_MS) {
    this.#budget = budget;
    this.#fairnessKey = fairnessKey;
    this.afterMs = afterMs;
  }

  /** Whether the service refused a request of the same Workspace for its load lately. */
  get isServiceBusy(): boolean {
    return this.#budget.isBusyFor(this.#fairnessKey);
  }

  /** Begins the next round. Returns how many messages it may send: of the first one, of a later one as many as the budget has. */
  nextRound(): number {
    this.#rounds++;
    if (this.#rounds > 1) return this.#budget.spend(Math.min(this.#rounds, MOST_AT_ONCE));
    this.#budget.earn();
    return 1;
  }
}
