/**
 * A token bucket with the tokens of one second, or of as many as given. A cost above its capacity empties it and leaves a debt, which later
 * tokens pay first.
 */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #refilledAt = 0;

  constructor(perSecond: number, seconds = 1) {
    this.#perSecond = perSecond;
    this.#capacity = perSecond * seconds;
    this.#tokens = this.#capacity;
  }

  /** Takes tokens if the bucket holds them, and returns whether it did. */
  take(cost = 1, now = performance.now()): boolean {
    const refill = ((now - this.#refilledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#tokens + refill, this.#capacity);
    this.#refilledAt = now;
    if (this.#capacity === 0 || this.#tokens < Math.min(cost, this.#capacity)) return false;
    this.#tokens -= cost;
    return true;
  }
}
