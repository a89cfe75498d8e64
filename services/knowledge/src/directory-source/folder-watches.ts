import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isAtOrBelow, joinPaths } from '../files/file-path.ts';
import { isClosed, isGone } from './file-errors.ts';

interface FolderWatch {
  readonly watcher: FSWatcher;
  readonly madeAt: number;
}

/** Receives the reports of watches. */
export interface WatchListener {
  /** An entry, by its path relative to the directory, was added or removed. */
  changed(path: string): void;
  /** A folder that is there, and can be read, cannot be watched. */
  failed(error: unknown): void;
}

/**
 * Watches folders for entries that come and go, one watch for each folder and none for files: systems limit
 * how many watches there may be, and there are far fewer folders. Changes inside a file do not matter here.
 */
export class FolderWatches {
  readonly #directory: string;
  readonly #listener: WatchListener;
  readonly #watches = new Map<string, FolderWatch>();
  #clock = 0;

  /** @param directory what all paths are relative to. */
  constructor(directory: string, listener: WatchListener) {
    this.#directory = directory;
    this.#listener = listener;
  }

  /**
   * Watches the folder that is at a path now. A watch stays with the folder it was made for when that is moved
   * or replaced, so it is made anew each time; the old one goes only then, and nothing is missed in between.
   */
  watch(path: string): void {
    const previous = this.#watches.get(path);
    this.#watches.delete(path);
    try {
      const watcher = watch(join(this.#directory, path), { persistent: false }, (event, name) => {
        // Other events are about what is in a file. Without a name, anything in the folder may have changed.
        if (event === 'rename') this.#listener.changed(name === null ? path : joinPaths(path, name));
      });
      watcher.on('error', (error) => this.#listener.failed(error));
      this.#watches.set(path, { watcher, madeAt: this.#clock++ });
    } catch (error) {
      if (!isGone(error) && !isClosed(error)) this.#listener.failed(error);
    }
    previous?.watcher.close();
  }

  /** A point in time to tell watches made before it from later ones. */
  now(): number {
    return this.#clock;
  }

  /** Ends the watches at and below a path that were made before a point in time. */
  endOlder(path: string, time: number): void {
    // An unwatched folder has no watched folder below it.
    if (path !== '' && !this.#watches.has(path)) return;
    for (const [folder, { watcher, madeAt }] of this.#watches) {
      if (madeAt >= time || !isAtOrBelow(folder, path)) continue;
      watcher.close();
      this.#watches.delete(folder);
    }
  }

  /** Ends all watches. */
  end(): void {
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }
}
