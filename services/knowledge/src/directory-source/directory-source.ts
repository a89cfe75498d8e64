import { resolve } from 'node:path';
import type { Logger } from '@action-platform/service-host';
import { inSpan } from '@action-platform/telemetry';
import { joinPaths } from '../files/file-path.ts';
import type { Files } from '../files/files.ts';
import type { FileGroup } from '../files/stored-file.ts';
import { ChangedPaths } from './changed-paths.ts';
import { codeOf } from './file-errors.ts';
import { FilesRoot } from './files-root.ts';
import { FolderWatches } from './folder-watches.ts';
import { everyGroup, type Following, groupsOf, refreshGroup } from './groups.ts';
import { groupFolder, placeOf } from './layout.ts';

/** How long changes may gather before they are looked at, in milliseconds: most come in bursts. */
const GATHER_MS = 100;
/** How long to wait before trying again what failed, in milliseconds. */
const RETRY_MS = 1000;

export interface DirectorySourceOptions {
  readonly directory: string;
  /** How long to rest between two passes over everything. */
  readonly rescanMs: number;
  readonly files: Files;
  readonly log: Logger;
}

/**
 * Keeps the files of a directory listed. A pass over everything comes first and again after each rest. In between,
 * and between the groups of a pass, it looks at the paths that watches report. A watch only says where to look: the
 * state of the file system decides. So a report may come late, twice, in another order or never, and any number of
 * replicas may follow the same directory. While the root is suspect (`FilesRoot`), the listing stays as it is.
 */
export class DirectorySource {
  readonly #following: Following;
  readonly #rescanMs: number;
  readonly #changed = new ChangedPaths();
  readonly #stopping = new AbortController();
  /** When the next pass is due, in milliseconds of `performance.now()`. */
  #nextPass = 0;
  #isWatchable = true;
  #done: Promise<void> | undefined;

  constructor({ directory, rescanMs, files, log }: DirectorySourceOptions) {
    this.#rescanMs = rescanMs;
    const absolute = resolve(directory);
    const watches = new FolderWatches(absolute, {
      changed: (path) => this.#changed.add(path),
      failed: (error) => this.#noteUnwatchable(error),
    });
    const root = new FilesRoot(absolute, files, log);
    this.#following = { directory: absolute, root, files, watches, log, signal: this.#stopping.signal };
  }

  /** Whether the listing is kept as it was, because the directory is missing, cannot be read, or was emptied. */
  get isListingKept(): boolean {
    return this.#following.root.isSuspect;
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
    const { root, signal } = this.#following;
    while (!signal.aborted) {
      if (performance.now() >= this.#nextPass) await this.#pass();
      await this.#refreshChanged();
      if (root.isSuspect) this.#passWithin(RETRY_MS);
      const rest = Math.max(0, this.#nextPass - performance.now());
      await this.#changed.wait(rest, GATHER_MS, signal);
    }
  }

  async #pass(): Promise<void> {
    const { root, watches, signal } = this.#following;
    this.#nextPass = Number.POSITIVE_INFINITY;
    await this.#attempt('', async () => {
      if (!(await root.check())) return;
      const begun = watches.now();
      for await (const group of everyGroup(this.#following)) {
        await this.#refresh(group, '');
        // Reported changes need not wait for the end of the pass.
        await this.#refreshChanged();
        signal.throwIfAborted();
      }
      watches.endOlder('', begun);
    });
    this.#passWithin(this.#rescanMs);
  }

  #passWithin(milliseconds: number): void {
    this.#nextPass = Math.min(this.#nextPass, performance.now() + milliseconds);
  }

  async #refreshChanged(): Promise<void> {
    const paths = this.#changed.take();
    if (paths.length === 0) return;
    await this.#attempt('', async () => {
      if (!(await this.#following.root.check())) return;
      for (const path of paths) await this.#refreshPath(path);
    });
  }

  async #refreshPath(path: string): Promise<void> {
    const place = placeOf(path);
    if (place?.kind === 'everything') this.#passWithin(0);
    if (place?.kind === 'files') await this.#refresh(place.group, place.path);
    if (place?.kind === 'workspace') {
      await this.#attempt(path, async () => {
        const groups = await groupsOf(this.#following, place.workspaceId);
        for (const group of groups) await this.#refresh(group, '');
      });
    }
  }

  async #refresh(group: FileGroup, path: string): Promise<void> {
    const place = joinPaths(groupFolder(group), path);
    const refresh = () => refreshGroup(this.#following, group, path);
    await this.#attempt(place, () => inSpan('files refresh', { root: true }, refresh));
  }

  /** Does some work; after a failure the path that it is about is looked at again later. */
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
