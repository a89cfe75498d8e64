import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addMember } from '@action-platform/contracts/calls';
import type { LocalPlatform } from '../../local-platform.ts';
import type { History } from '../history.ts';
import type { Fixture } from '../workload/fixture.ts';
import { Session } from '../workload/session.ts';

const FILES = 8;
/** The pause of the writer, in milliseconds. */
const REST_MS = 20;
/** The most lines of a file: more than one message of the bus. */
const MOST_LINES = 20_000;

/** The files of a Workspace, which a writer replaces again and again. All lines of a file are equal, and those of two contents differ. */
export class ChangingFiles {
  readonly #folder: string;
  readonly #hidden = new Set<string>();
  readonly #stopping = new AbortController();
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins to change the files of a fixture, which its clients read; one of them is the personal file of a Member who makes no calls. */
  static async begin(fixture: Fixture): Promise<ChangingFiles> {
    const { workspace, owners, session } = fixture;
    const platform = fixture.platform as LocalPlatform;
    const files = new ChangingFiles(join(platform.places.files, workspace));
    const paths = Array.from({ length: FILES }, (_, n) => `company/file-${n}.txt`);
    paths.push(`personal/${owners[0]!.user}/own.txt`, 'personal/other/hidden.txt');
    for (const path of paths) files.#replace(path);
    await platform.operate(addMember, { workspace, user: 'other' });
    const other = new Session(fixture.url, await platform.token(workspace, 'other'));
    const listed = async (caller: Session): Promise<[company: string[], personal: string[]]> => {
      const { groups } = await caller.execute('knowledge.list_visible_files', {});
      const keys = groups.map((group: { files: { key: string }[] }) => group.files.map(({ key }) => key));
      if (keys[0].length === FILES && keys[1].length === 1) return keys;
      await delay(500);
      return await listed(caller);
    };
    const [company, own] = await listed(session);
    const [, hidden] = await listed(other);
    other.close();
    for (const key of hidden) files.#hidden.add(key);
    fixture.files.push(...company, ...own, ...hidden);
    void files.#change(paths);
    return files;
  }

  evidence(): Partial<History> {
    return { hiddenFiles: this.#hidden };
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #change(paths: readonly string[]): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#replace(paths[this.#count % paths.length]!);
      await delay(REST_MS);
    }
  }

  #replace(path: string): void {
    const [at, next] = [join(this.#folder, path), join(this.#folder, '.next')];
    mkdirSync(join(at, '..'), { recursive: true });
    const lines = 1 + ((this.#count * 7_919) % MOST_LINES);
    writeFileSync(next, `${this.#count++}\n`.repeat(lines));
    renameSync(next, at);
  }
}
