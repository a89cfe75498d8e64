const [NOT_BEGUN, BEGUN, GIVEN_UP] = [0, 1, 2];

/**
 * Whether the work of a session has begun, in memory that its thread shares with the process. Of `begin` in the thread and `giveUp` in the
 * process the first one counts, so work that the process gave up in time never begins.
 */
export class Beginning {
  readonly #memory: Int32Array;

  /** @param memory one shared number, the same for the thread and the process. */
  constructor(memory: Int32Array) {
    this.#memory = memory;
  }

  /** Prepares the next session. */
  reset(): void {
    Atomics.store(this.#memory, 0, NOT_BEGUN);
  }

  /** Begins the work; false when the process gave it up before. */
  begin(): boolean {
    return Atomics.compareExchange(this.#memory, 0, NOT_BEGUN, BEGUN) === NOT_BEGUN;
  }

  /** Gives the work up; false when the thread began it before. */
  giveUp(): boolean {
    return Atomics.compareExchange(this.#memory, 0, NOT_BEGUN, GIVEN_UP) === NOT_BEGUN;
  }
}
