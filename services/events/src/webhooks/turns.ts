import { setTimeout as delay } from 'node:timers/promises';

/** Work that is done in turns, one after the other. */
export class Turns {
  #isWoken = false;
  #endPause = () => {};
  #endedAt = performance.now();

  /** Whether no turn has ended for so long, in milliseconds. */
  isStuck(ms: number): boolean {
    return performance.now() - this.#endedAt > ms;
  }

  /** Begins the next turn now. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** Runs turns until the signal aborts, each after the pause in milliseconds that the one before returned, or once woken. */
  async run(turn: () => Promise<number>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#isWoken = false;
      const pauseMs = await turn();
      this.#endedAt = performance.now();
      if (this.#isWoken || pauseMs === 0) continue;
      const pause = new AbortController();
      this.#endPause = () => pause.abort();
      await delay(pauseMs, undefined, { signal: AbortSignal.any([pause.signal, signal]) }).catch(() => {});
    }
  }
}
