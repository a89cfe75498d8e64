import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { writePrivately } from '@action-platform/deployment';

/** How far an export is: what the file has, and what follows. */
export interface Progress {
  readonly workspace: string;
  /** The service and its page that follow. */
  readonly service: string;
  readonly after?: string;
  /** The size of the file up to the last whole page, and its lines. */
  readonly bytes: number;
  readonly lines: number;
}

/**
 * The file of an export, with its progress in a second file beside it until it is complete. A page counts once the progress names it, so
 * a process that ends anywhere leaves a file that the next one continues.
 */
export class ExportFile {
  readonly #path: string;
  readonly #descriptor: number;
  progress: Progress;

  /**
   * Creates the file, or continues an incomplete one: from its beginning when its progress names more than it has, as after its removal.
   *
   * @throws Error when the file is of something else
   */
  constructor(path: string, start: Progress) {
    this.#path = path;
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    const hasProgress = existsSync(progressOf(path));
    if (!hasProgress && size !== undefined) throw new Error(`--to: ${path} exists.`);
    this.progress = hasProgress ? (JSON.parse(readFileSync(progressOf(path), 'utf8')) as Progress) : start;
    if (this.progress.workspace !== start.workspace)
      throw new Error(`--to: ${path} is the begun export of another Workspace.`);
    if (this.progress.bytes > (size ?? 0)) this.progress = start;
    this.#writeProgress();
    // The file holds everything of a Workspace.
    this.#descriptor = openSync(path, size === undefined ? 'wx' : 'r+', 0o600);
    ftruncateSync(this.#descriptor, this.progress.bytes);
  }

  /** Appends the lines of a page, and notes what follows it. */
  append(lines: readonly string[], following: Pick<Progress, 'service' | 'after'>): void {
    const { workspace, bytes, lines: count } = this.progress;
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    for (let written = 0; written < text.length; )
      written += writeSync(this.#descriptor, text, written, text.length - written, bytes + written);
    fsyncSync(this.#descriptor);
    this.progress = { workspace, ...following, bytes: bytes + text.length, lines: count + lines.length };
    this.#writeProgress();
  }

  complete(): void {
    rmSync(progressOf(this.#path));
  }

  /** Removes an export without a line. */
  discard(): void {
    rmSync(this.#path);
    this.complete();
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #writeProgress(): void {
    writePrivately(progressOf(this.#path), JSON.stringify(this.progress));
  }
}

function progressOf(path: string): string {
  return `${path}.progress`;
}
