/**
 * How much may be spent in a second: a token bucket that holds what a second, or so many of them, bring. What costs more than
 * it can hold takes all of it, and what comes until that is paid.
 */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #countedAt = 0;

  constructor(perSecond: number, seconds = 1) {
    this.#perSecond = perSecond;
    this.#most = perSecond * seconds;
    this.#left = this.#most;
  }

  /** Whether so much may be spent now; then it is. */
  take(cost = 1, now = performance.now()): boolean {
    const earned = ((now - this.#countedAt) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#left + earned, this.#most);
    this.#countedAt = now;
    if (this.#most === 0 || this.#left < Math.min(cost, this.#most)) return false;
    this.#left -= cost;
    return true;
  }
}
