import { setTimeout as sleep } from 'node:timers/promises';
import { isAtOrBelow, parentOf } from '../files/file-path.ts';

/** The most separate paths; beyond it, scanning whole folders costs less. */
export const MAX_CHANGED_PATHS = 100;

/**
 * The changed paths to scan again, names joined by slashes; the empty path is the whole directory. No path lies below another,
 * and their number is limited: beyond the limit, folders replace the deepest paths in them.
 */
export class ChangedPaths {
  readonly #paths = new Set<string>();
  #arrival = new AbortController();

  /** Adds a path at or below which an entry may have changed. */
  add(path: string): void {
    this.#arrival.abort();
    for (const other of this.#paths) {
      if (isAtOrBelow(path, other)) return;
      if (isAtOrBelow(other, path)) this.#paths.delete(other);
    }
    this.#paths.add(path);
    if (this.#paths.size > MAX_CHANGED_PATHS) this.#liftDeepest();
  }

  /** Removes and returns the paths. */
  take(): string[] {
    const taken = [...this.#paths];
    this.#paths.clear();
    return taken;
  }

  /**
   * Resolves `gather` after the first path, so that more can arrive, or after `time`, or when the signal aborts. Times are in
   * milliseconds.
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
