import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Logger } from '@action-platform/service-host';
import { inSpan } from '@action-platform/telemetry';
import { joinPaths } from '../files/file-path.ts';
import type { Files } from '../files/files.ts';
import type { FileGroup } from '../files/stored-file.ts';
import { ChangedPaths } from './changed-paths.ts';
import { codeOf } from './file-errors.ts';
import { FolderWatches } from './folder-watches.ts';
import { everyGroup, type Following, groupsOf, refreshGroup } from './groups.ts';
import { groupFolder, placeOf } from './layout.ts';

/** How long changes may gather before they are looked at, in milliseconds: most come in bursts. */
const GATHER_MS = 100;
/** How long to wait before trying again what failed, in milliseconds. */
const RETRY_MS = 1000;

/** What a directory source is made from. */
export interface DirectorySourceOptions {
  readonly directory: string;
  /** How long to rest between two passes over everything. */
  readonly rescanMs: number;
  readonly files: Files;
  readonly log: Logger;
}

/**
 * Keeps the files of a directory listed. A pass over everything comes first and again after each rest; in
 * between, and between the groups of a pass, what watches tell of is looked at. A watch only says where to look:
 * what is there now decides. So it does not matter when a change is told late, twice, in another order or never,
 * nor how many replicas follow the same directory.
 */
export class DirectorySource {
  readonly #following: Following;
  readonly #rescanMs: number;
  readonly #changed = new ChangedPaths();
  readonly #stopping = new AbortController();
  /** When the next pass is due, in milliseconds of `performance.now()`. */
  #nextPass = 0;
  #isThere = true;
  #isWatchable = true;
  #done: Promise<void> | undefined;

  constructor({ directory, rescanMs, files, log }: DirectorySourceOptions) {
    this.#rescanMs = rescanMs;
    const absolute = resolve(directory);
    const watches = new FolderWatches(absolute, {
      changed: (path) => this.#changed.add(path),
      failed: (error) => this.#noteUnwatchable(error),
    });
    this.#following = { directory: absolute, files, watches, log, signal: this.#stopping.signal };
  }

  /** Begins to follow the directory, in the background. */
  start(): void {
    this.#done = this.#follow();
  }

  /** Ends following; resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    this.#following.watches.end();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (performance.now() >= this.#nextPass) await this.#pass();
      await this.#refreshChanged();
      const rest = Math.max(0, this.#nextPass - performance.now());
      await this.#changed.wait(rest, GATHER_MS, signal);
    }
  }

  async #pass(): Promise<void> {
    const { watches, signal } = this.#following;
    this.#nextPass = Number.POSITIVE_INFINITY;
    const isThere = await this.#checkDirectory();
    if (isThere) {
      await this.#attempt('', async () => {
        const begun = watches.now();
        for await (const group of everyGroup(this.#following)) {
          await this.#refresh(group, '');
          // What was told in the meantime need not wait for the end of the pass.
          await this.#refreshChanged();
          signal.throwIfAborted();
        }
        watches.endOlder('', begun);
      });
    }
    const rest = isThere ? this.#rescanMs : RETRY_MS;
    this.#nextPass = Math.min(this.#nextPass, performance.now() + rest);
  }

  async #refreshChanged(): Promise<void> {
    const paths = this.#changed.take();
    // What changed in a directory that is not there will be met by the pass once it is.
    if (paths.length === 0 || !(await this.#checkDirectory())) return;
    for (const path of paths) {
      const place = placeOf(path);
      if (place?.kind === 'everything') this.#nextPass = performance.now();
      if (place?.kind === 'files') await this.#refresh(place.group, place.path);
      if (place?.kind === 'workspace') {
        await this.#attempt(path, async () => {
          const groups = await groupsOf(this.#following, place.workspaceId);
          for (const group of groups) await this.#refresh(group, '');
        });
      }
    }
  }

  async #refresh(group: FileGroup, path: string): Promise<void> {
    const place = joinPaths(groupFolder(group), path);
    const refresh = () => refreshGroup(this.#following, group, path);
    await this.#attempt(place, () => inSpan('files refresh', { root: true }, refresh));
  }

  /** Does some work; when it fails, the path it is about is looked at again later. */
  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    const { log, signal } = this.#following;
    try {
      signal.throwIfAborted();
      await work();
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'looking through the directory failed; it is tried again');
      setTimeout(() => this.#changed.add(path), RETRY_MS).unref();
    }
  }

  /**
   * Whether the directory is there and can be read. Of one that is not, as when it could not be mounted, nothing
   * is known: what is listed stays until it is back.
   */
  async #checkDirectory(): Promise<boolean> {
    const { directory, log } = this.#following;
    const isThere = await access(directory, constants.R_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere !== this.#isThere) {
      if (isThere) log.info('FILES_DIR is there');
      else log.warn('FILES_DIR is not there, or cannot be read; what is listed stays as it is');
    }
    this.#isThere = isThere;
    return isThere;
  }

  #noteUnwatchable(error: unknown): void {
    if (!this.#isWatchable) return;
    this.#isWatchable = false;
    this.#following.log.warn(
      { code: codeOf(error) },
      'some folders cannot be watched, so changes in them are seen once every FILES_RESCAN_SECONDS; ' +
        'on Linux, raise fs.inotify.max_user_watches (code ENOSPC)',
    );
  }
}
