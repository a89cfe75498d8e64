/** Over how long it is seen how many come, in milliseconds. */
const PERIOD_MS = 1_000;
/** Nobody is told to wait longer, in seconds. */
const LONGEST_WAIT_S = 30;

/** How many come beside how many can be let in, and what follows from it for those who cannot. */
export class Load {
  #accepted = 0;
  #refused = 0;
  #periodEnd = 0;
  #waitSeconds = 1;

  /** Somebody was let in. */
  accepted(): void {
    this.#accepted++;
  }

  /** Whether somebody was not let in within the last second. */
  isTooMuch(now = performance.now()): boolean {
    return now < this.#periodEnd;
  }

  /**
   * Somebody is not let in.
   *
   * @returns after how many seconds it makes sense to come again: as many as came lately for each one that was let in. So
   *   those who come back in a second are about as many as can be let in. It is one when nothing is known, and never more
   *   than `LONGEST_WAIT_S`.
   */
  refused(now = performance.now()): number {
    if (now >= this.#periodEnd) {
      // Nobody was refused for a while: what was counted since tells nothing.
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
