import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { isAtOrBelow, joinPaths } from '../files/file-path.ts';
import { isClosed, isMissing } from './file-errors.ts';

interface FolderWatch {
  readonly watcher: FSWatcher;
  readonly madeAt: number;
}

/** Receives the reports of watches. */
export interface WatchListener {
  /** An entry was added or removed at a path relative to the directory. */
  changed(path: string): void;
  /** A readable folder cannot be watched. */
  failed(error: unknown): void;
}

/**
 * Watches folders for added and removed entries. It has a watch for each folder and none for files, because systems limit the
 * number of watches. Changes inside a file do not matter to the listing.
 */
export class FolderWatches {
  readonly #directory: string;
  readonly #listener: WatchListener;
  readonly #watches = new Map<string, FolderWatch>();
  #clock = 0;

  /** @param directory the base of all paths. */
  constructor(directory: string, listener: WatchListener) {
    this.#directory = directory;
    this.#listener = listener;
  }

  /**
   * Watches the folder that is at a path now. A watch follows its folder when that is moved, so each call creates a new watch, and
   * ends the old one afterwards to miss no change.
   */
  watch(path: string): void {
    const previous = this.#watches.get(path);
    this.#watches.delete(path);
    try {
      const watcher = watch(join(this.#directory, path), { persistent: false }, (event, name) => {
        // Other events concern the content of a file. Without a name, any entry of the folder may have changed.
        if (event === 'rename') this.#listener.changed(name === null ? path : joinPaths(path, name));
      });
      watcher.on('error', (error) => this.#listener.failed(error));
      this.#watches.set(path, { watcher, madeAt: this.#clock++ });
    } catch (error) {
      if (!isMissing(error) && !isClosed(error)) this.#listener.failed(error);
    }
    previous?.watcher.close();
  }

  /** A point in time, for `endOlder`. */
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
