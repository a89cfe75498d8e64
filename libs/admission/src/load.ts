/** The period over which arrivals are counted, in milliseconds. */
const PERIOD_MS = 1_000;
/** The longest `Retry-After`, in seconds. */
const LONGEST_WAIT_S = 30;

/** Counts accepted and refused calls, and derives the `Retry-After` of a refusal from them. */
export class Load {
  #accepted = 0;
  #refused = 0;
  #periodEnd = 0;
  #waitSeconds = 1;

  /** A call was accepted. */
  accepted(): void {
    this.#accepted++;
  }

  /** Whether a call was refused within the last second. */
  isTooMuch(now = performance.now()): boolean {
    return now < this.#periodEnd;
  }

  /**
   * A call is refused.
   *
   * @returns after how many seconds to retry: the number of recent arrivals per accepted call. So the callers that return in
   *   one second are about as many as can be accepted. It is one when nothing is known, and at most `LONGEST_WAIT_S`.
   */
  refused(now = performance.now()): number {
    if (now >= this.#periodEnd) {
      // Old counts say nothing about the present load.
      const isRecent = now < this.#periodEnd + PERIOD_MS;
      const timesTooMany = (this.#accepted + this.#refused) / Math.max(1, this.#accepted);
      this.#waitSeconds = isRecent ? Math.min(Math.ceil(timesTooMany), LONGEST_WAIT_S) : 1;
      this.#periodEnd = now + PERIOD_MS;
      this.#accepted = 0;
      this.#refused = 0;
    }
    this.#refused++;
    return this.#waitSeconds;
  }
}
