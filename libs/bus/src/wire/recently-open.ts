/** How long a request counts at least, in milliseconds; at most twice as long. */
const PERIOD_MS = 50;

/**
 * Counts the open requests that began lately. An older request does not wait for processors: an operation works for a long time, waits for an
 * event, or lets other calls go first.
 */
export class RecentlyOpen {
  #period = 0;
  #inPeriod = 0;
  #inFormerPeriod = 0;

  get count(): number {
    return this.#inPeriod + this.#inFormerPeriod;
  }

  /** Counts a request. @param at now, by `performance.now()` */
  began(at: number): void {
    const period = periodOf(at);
    if (period !== this.#period) {
      this.#inFormerPeriod = period === this.#period + 1 ? this.#inPeriod : 0;
      this.#inPeriod = 0;
      this.#period = period;
    }
    this.#inPeriod++;
  }

  /** Ends a request. @param begunAt the time that `began` was given */
  ended(begunAt: number): void {
    const period = periodOf(begunAt);
    if (period === this.#period) this.#inPeriod--;
    else if (period === this.#period - 1) this.#inFormerPeriod--;
  }
}

function periodOf(at: number): number {
  return Math.floor(at / PERIOD_MS);
}
