import { inBackground } from '@action-platform/contracts/calls';
import { compareByBytes } from '../files/byte-order.ts';
import type { Files } from '../files/files.ts';
import type { FileGroup, SourceKind } from '../files/stored-file.ts';

/** The number of files in one removal. */
const REMOVE_BATCH = 500;
/** The most files between those of the source that one comparison removes, which bounds its memory. */
const REMOVE_MAX = 50_000;

interface ComparisonOptions {
  readonly kind: SourceKind;
  /** Runs before each change of the listing; the changes end when it rejects. */
  readonly confirm: () => Promise<void>;
}

/**
 * Updates the listing of a group from its paths in a source. The listing and the paths are in the order of UTF-8 bytes, so
 * `GroupComparison` finds the differences in one walk. `GroupComparison` adds files at once, and removes files only at the end, when the
 * group was listed whole.
 */
export class GroupComparison {
  readonly group: FileGroup;
  readonly #files: Files;
  readonly #kind: SourceKind;
  readonly #confirm: () => Promise<void>;
  readonly #knownPaths: AsyncGenerator<string, undefined>;
  readonly #removed: string[] = [];
  /** The next listed path; undefined at the end. */
  #next: string | undefined;
  #isComplete = true;

  private constructor(files: Files, group: FileGroup, { kind, confirm }: ComparisonOptions) {
    this.#files = files;
    this.group = group;
    this.#kind = kind;
    this.#confirm = confirm;
    this.#knownPaths = pathsOf(files, group, kind);
  }

  static async begin(files: Files, group: FileGroup, options: ComparisonOptions): Promise<GroupComparison> {
    const comparison = new GroupComparison(files, group, options);
    await comparison.#advance();
    return comparison;
  }

  /** Takes the next paths of the group in the source. */
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
    if (added.length === 0) return;
    await this.#confirm();
    await this.#files.put(this.#kind, this.group, added);
  }

  /**
   * Removes the listed files that the source does not hold.
   *
   * @returns whether the listing is that of the source now, or a further pass must remove the rest.
   */
  async finish(): Promise<boolean> {
    while (this.#removed.length > 0 || this.#next !== undefined) {
      while (this.#next !== undefined && this.#removed.length < REMOVE_BATCH) {
        this.#removed.push(this.#next);
        await this.#advance();
      }
      await this.#confirm();
      await this.#files.remove(this.#kind, this.group, this.#removed.splice(0, REMOVE_BATCH));
    }
    return this.#isComplete;
  }

  async #advance(): Promise<void> {
    this.#next = (await this.#knownPaths.next()).value;
  }
}

async function* pathsOf(files: Files, group: FileGroup, kind: SourceKind): AsyncGenerator<string, undefined> {
  for await (const batch of files.list(group, inBackground, kind)) for (const { path } of batch) yield path;
}
