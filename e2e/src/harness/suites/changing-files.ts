import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addMember } from '@action-platform/contracts/calls';
import type { History } from '../history.ts';
import type { PlatformWithBucket } from '../platforms/platform-with-bucket.ts';
import type { Fixture } from '../workload/fixture.ts';
import { Session } from '../workload/session.ts';

/** The company's files in each source. */
const FILES = 8;
/** The pause of a writer, in milliseconds. */
const REST_MS = 20;
/** The least number of contents that a file has had by the end. */
const CONTENTS = 3;
/** The most lines of a file: more than one message of the bus. */
const MOST_LINES = 20_000;

/** Replaces a file of the Workspace. */
type Replace = (path: string, content: string) => Promise<void>;

/**
 * The files of a Workspace in a folder and in a bucket, which a writer of each replaces again and again. All lines of a file are equal,
 * and lines of two contents differ.
 */
export class ChangingFiles {
  readonly #hidden = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #changes = new Map<string, number>();
  readonly #failures: string[] = [];
  #count = 0;

  /** Begins to change the files of a fixture, which its clients read; some of them are personal files of a Member who makes no calls. */
  static async begin(fixture: Fixture): Promise<ChangingFiles> {
    const { workspace, owners, session } = fixture;
    const platform = fixture.platform as PlatformWithBucket;
    const files = new ChangingFiles();
    const sources: Readonly<Record<string, Replace>> = {
      folder: replaceIn(join(platform.places.files, workspace)),
      bucket: (path, content) => platform.bucket.put([`${workspace}/${path}`], content),
    };
    const pathsOf = (source: string) => [
      ...Array.from({ length: FILES }, (_, n) => `company/${source}-${n}.txt`),
      ...[owners[0]!.user, 'other'].map((user) => `personal/${user}/${source}.txt`),
    ];
    for (const [source, replace] of Object.entries(sources))
      for (const path of pathsOf(source)) await replace(path, files.#content());
    await platform.operate(addMember, { workspace, user: 'other' });
    const other = new Session(fixture.url, await platform.token(workspace, 'other'));
    const count = Object.keys(sources).length;
    const listed = async (caller: Session): Promise<[company: string[], personal: string[]]> => {
      const { groups } = await caller.execute('knowledge.list_visible_files', {});
      const keys = groups.map((group: { files: { key: string }[] }) => group.files.map(({ key }) => key));
      if (keys[0].length === FILES * count && keys[1].length === count) return keys;
      await delay(500);
      return await listed(caller);
    };
    const [company, own] = await listed(session);
    const [, hidden] = await listed(other);
    other.close();
    for (const key of hidden) files.#hidden.add(key);
    fixture.files.push(...company, ...own, ...hidden);
    for (const [source, replace] of Object.entries(sources))
      files
        .#change(pathsOf(source), replace)
        .catch((error: unknown) => files.#failures.push(`a file could not be changed: ${error}`));
    return files;
  }

  evidence(): Partial<History> {
    return { hiddenFiles: this.#hidden };
  }

  /** Writers that failed, and files that hardly changed: their reads show nothing. */
  violations(): string[] {
    const still = [...this.#changes].filter(([, changes]) => changes + 1 < CONTENTS);
    return [...this.#failures, ...still.map(([path, changes]) => `${path}: changed ${changes} times`)];
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #change(paths: readonly string[], replace: Replace): Promise<void> {
    for (const path of paths) this.#changes.set(path, 0);
    for (let next = 0; !this.#stopping.signal.aborted; next++) {
      const path = paths[next % paths.length]!;
      await replace(path, this.#content());
      this.#changes.set(path, this.#changes.get(path)! + 1);
      await delay(REST_MS);
    }
  }

  /** Another content than any before. */
  #content(): string {
    const lines = 1 + ((this.#count * 7_919) % MOST_LINES);
    return `${this.#count++}\n`.repeat(lines);
  }
}

/** Replaces files of a folder, each by one rename. */
function replaceIn(folder: string): Replace {
  return async (path, content) => {
    const [at, next] = [join(folder, path), join(folder, '.next')];
    mkdirSync(join(at, '..'), { recursive: true });
    writeFileSync(next, content);
    renameSync(next, at);
  };
}
