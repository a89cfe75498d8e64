import { resolve } from 'node:path';
import type { Logger } from '@action-platform/service-host';
import { inSpan } from '@action-platform/telemetry';
import { joinPaths } from '../files/file-path.ts';
import type { Files } from '../files/files.ts';
import type { FollowedSource } from '../files/followed-source.ts';
import { groupFolder, placeOf } from '../files/layout.ts';
import type { FileGroup } from '../files/stored-file.ts';
import { ChangedPaths } from './changed-paths.ts';
import { codeOf } from './file-errors.ts';
import { FilesRoot } from './files-root.ts';
import { FolderWatches } from './folder-watches.ts';
import { everyGroup, type Following, groupsOf, refreshGroup } from './groups.ts';

/** The time between the first change and its scan, in milliseconds: most changes arrive in bursts. */
const GATHER_MS = 100;
/** The pause before a failed scan is repeated, in milliseconds. */
const RETRY_MS = 1000;

export interface DirectorySourceOptions {
  readonly directory: string;
  /** The pause between two passes over the whole directory. */
  readonly rescanMs: number;
  readonly files: Files;
  readonly log: Logger;
}

/**
 * Keeps the listing of a directory's files up to date. It passes over the whole directory at its start and after each pause. In
 * between, and between the groups of a pass, it scans the paths that watches report. A report only names a path; the scan reads
 * the state of the file system. So a report may be late, duplicate, out of order or missing, and any number of replicas may
 * follow the same directory. While the root is suspect (`FilesRoot`), the listing does not change.
 */
export class DirectorySource implements FollowedSource {
  readonly kind = 'directory';
  readonly variable = 'FILES_DIR';
  readonly #following: Following;
  readonly #rescanMs: number;
  readonly #changed = new ChangedPaths();
  readonly #stopping = new AbortController();
  /** The start of the next pass, in milliseconds of `performance.now()`. */
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

  /** Whether the listing stays unchanged, because the directory is missing, unreadable or was emptied. */
  get isListingKept(): boolean {
    return this.#following.root.isSuspect;
  }

  /** Begins to follow the directory, in the background. */
  start(): void {
    this.#done = this.#follow();
  }

  /** Stops following the directory; resolves when no scan is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    this.#following.watches.end();
  }

  async refresh(): Promise<void> {
    this.#changed.add('');
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
        // So that reported changes do not wait for the end of the pass.
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

  /** Runs the scan of a path, and scans the path again later after a failure. */
  async #attempt(path: string, work: () => Promise<void>): Promise<void> {
    const { log, signal } = this.#following;
    try {
      signal.throwIfAborted();
      await work();
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'scanning the directory failed; the service repeats it');
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
