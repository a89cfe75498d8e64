import { type ConcurrencyLimiter, countedBytes, type FairnessKey } from '@action-platform/admission';

/** The bytes of one answer in the byte budget of the process, beyond those that no answer counts. */
export class HeldBytes {
  readonly #budget: ConcurrencyLimiter;
  readonly #fairnessKey: FairnessKey;
  #all = 0;
  #counted = 0;

  constructor(budget: ConcurrencyLimiter, fairnessKey: FairnessKey) {
    this.#budget = budget;
    this.#fairnessKey = fairnessKey;
  }

  /** Takes so many more; false when the budget has no room. */
  hold(bytes: number): boolean {
    this.#all += bytes;
    const more = countedBytes(this.#all) - this.#counted;
    if (more === 0) return true;
    if (!this.#budget.take(this.#fairnessKey, '', more)) return false;
    this.#counted += more;
    return true;
  }

  release(): void {
    if (this.#counted > 0) this.#budget.leave(this.#fairnessKey, '', this.#counted);
    this.#counted = 0;
  }
}
