import { setTimeout as delay } from 'node:timers/promises';

/** The pause after a failed tick, in milliseconds. */
const RETRY_MS = 2_000;

/** Repeats a tick of work: after the pause that the last one returned, or earlier when it is notified. */
export class Loop {
  #isNotified = false;
  #endPause = () => {};
  #endedAt = performance.now();

  /** Whether no tick has ended for so long, in milliseconds. */
  isStuck(ms: number): boolean {
    return performance.now() - this.#endedAt > ms;
  }

  /** Has the next tick begin now. */
  notify(): void {
    this.#isNotified = true;
    this.#endPause();
  }

  /**
   * Runs until the signal aborts; never rejects.
   *
   * @param tick resolves with the pause before the next one, in milliseconds.
   * @param onFailure is given the error of a tick. The next one follows after a pause that nothing ends.
   */
  async run(
    tick: () => Promise<number>,
    onFailure: (error: unknown) => void,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      this.#isNotified = false;
      const pauseMs = await tick().catch((error: unknown) => {
        if (!signal.aborted) onFailure(error);
        return undefined;
      });
      this.#endedAt = performance.now();
      if (pauseMs === undefined) await delay(RETRY_MS, undefined, { signal }).catch(() => {});
      if (pauseMs === undefined || pauseMs === 0 || this.#isNotified) continue;
      const pause = new AbortController();
      this.#endPause = () => pause.abort();
      await delay(pauseMs, undefined, { signal: AbortSignal.any([pause.signal, signal]) }).catch(() => {});
    }
  }
}
