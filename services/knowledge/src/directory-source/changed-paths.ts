import { setTimeout as sleep } from 'node:timers/promises';
import { isAtOrBelow, parentOf } from '../files/file-path.ts';

/** The most paths to keep apart; beyond it, looking at whole folders costs less. */
export const MAX_CHANGED_PATHS = 100;

/**
 * Paths that have to be looked at again, names joined by slashes; the empty path is everything. No path lies
 * below another, and there are never many: when too many come together, the deepest become their folders.
 */
export class ChangedPaths {
  readonly #paths = new Set<string>();
  #arrival = new AbortController();

  /** Notes that something at or below a path may have changed. */
  add(path: string): void {
    this.#arrival.abort();
    for (const other of this.#paths) {
      if (isAtOrBelow(path, other)) return;
      if (isAtOrBelow(other, path)) this.#paths.delete(other);
    }
    this.#paths.add(path);
    if (this.#paths.size > MAX_CHANGED_PATHS) this.#liftDeepest();
  }

  /** The paths noted since the last time. */
  take(): string[] {
    const taken = [...this.#paths];
    this.#paths.clear();
    return taken;
  }

  /**
   * Resolves when there are paths, and then a while later so that more can gather; or when the time is over,
   * or the signal is aborted. Times are in milliseconds.
   */
  async wait(time: number, gather: number, signal: AbortSignal): Promise<void> {
    if (this.#paths.size === 0) {
      this.#arrival = new AbortController();
      await pause(time, AbortSignal.any([signal, this.#arrival.signal]));
    }
    if (this.#paths.size > 0) await pause(gather, signal);
  }

  #liftDeepest(): void {
    const deepest = Math.max(...[...this.#paths].map(depth));
    for (const path of [...this.#paths]) {
      if (depth(path) === deepest && this.#paths.delete(path)) this.add(parentOf(path));
    }
  }
}

/** Resolves when the time is over or the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

function depth(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}
