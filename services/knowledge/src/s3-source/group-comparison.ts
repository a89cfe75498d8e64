import { inBackground } from '@action-platform/contracts';
import { compareByBytes } from '../files/byte-order.ts';
import type { Files } from '../files/files.ts';
import type { FileGroup } from '../files/stored-file.ts';

/** The number of files in one removal. */
const REMOVE_BATCH = 500;
/** The most files between those of the bucket that one comparison removes, which bounds its memory. */
const REMOVE_MAX = 50_000;

/**
 * Updates the listing of a group from its paths in a bucket. Both are in the order of UTF-8 bytes, so one walk along both finds the
 * differences. It adds files at once, and removes files only at the end, when the group was listed whole.
 */
export class GroupComparison {
  readonly #files: Files;
  readonly #group: FileGroup;
  readonly #listed: AsyncGenerator<string, undefined>;
  readonly #removed: string[] = [];
  /** The next listed path; undefined at the end. */
  #next: string | undefined;
  #isComplete = true;

  private constructor(files: Files, group: FileGroup) {
    this.#files = files;
    this.#group = group;
    this.#listed = pathsOf(files, group);
  }

  static async begin(files: Files, group: FileGroup): Promise<GroupComparison> {
    const comparison = new GroupComparison(files, group);
    await comparison.#advance();
    return comparison;
  }

  /** Takes the next paths of the group in the bucket. */
  async take(paths: readonly string[]): Promise<void> {
    const added: string[] = [];
    for (const path of paths) {
      while (this.#next !== undefined && compareByBytes(this.#next, path) < 0) {
        if (this.#removed.length < REMOVE_MAX) this.#removed.push(this.#next);
        else this.#isComplete = false;
        await this.#advance();
      }
      if (this.#next === path) await this.#advance();
      else added.push(path);
    }
    if (added.length > 0) await this.#files.put('s3', this.#group, added);
  }

  /**
   * Removes the listed files that the bucket does not hold.
   *
   * @param confirm runs before each removal; the removals end when it rejects.
   * @returns whether the listing is the bucket's now, or a further pass must remove the rest.
   */
  async finish(confirm: () => Promise<void>): Promise<boolean> {
    while (this.#removed.length > 0 || this.#next !== undefined) {
      while (this.#next !== undefined && this.#removed.length < REMOVE_BATCH) {
        this.#removed.push(this.#next);
        await this.#advance();
      }
      await confirm();
      await this.#files.remove('s3', this.#group, this.#removed.splice(0, REMOVE_BATCH));
    }
    return this.#isComplete;
  }

  async #advance(): Promise<void> {
    this.#next = (await this.#listed.next()).value;
  }
}

async function* pathsOf(files: Files, group: FileGroup): AsyncGenerator<string, undefined> {
  for await (const batch of files.list(group, inBackground, 's3')) for (const { path } of batch) yield path;
}
