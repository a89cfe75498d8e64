import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { requireThat } from '../target.ts';

/** Foreign servers may log errors, but nothing that a caller sent. */
const FOREIGN = /^(mongod|nats-server)/;

/** Checks the new log lines of the processes of a platform. */
export class LogWatch {
  readonly #directory: string;
  readonly #mark: string;
  readonly #expected: RegExp | undefined;
  readonly #files = new Map<string, { readonly descriptor: number; read: number }>();

  /**
   * @param directory with one log file per process.
   * @param mark a text that no line may contain.
   * @param expected matches the messages of errors that the log may have.
   */
  constructor(directory: string, mark: string, expected?: RegExp) {
    this.#directory = directory;
    this.#mark = mark;
    this.#expected = expected;
    for (const line of this.#news()) void line;
  }

  /** @throws Finding when a new line is an error, a crash, or contains what a caller sent. */
  check(): void {
    // Reads all lines before it judges any: a line left behind would count for the next input.
    for (const { file, line } of [...this.#news()]) {
      requireThat(!line.includes(this.#mark), `the log ${file} contains what a caller sent`);
      if (!FOREIGN.test(file))
        requireThat(this.#isHarmless(line), `the log ${file} says: ${line.slice(0, 1000)}`);
    }
  }

  /** The ids of the processes that have logged `ready`. */
  pids(): number[] {
    const texts = this.#names().map((name) => readFileSync(join(this.#directory, name), 'utf8'));
    const found = texts.flatMap((text) =>
      [...text.matchAll(/"pid":(\d+),"msg":"ready"/g)].map(([, pid]) => Number(pid)),
    );
    return [...new Set(found)];
  }

  close(): void {
    for (const { descriptor } of this.#files.values()) closeSync(descriptor);
    this.#files.clear();
  }

  #isHarmless(line: string): boolean {
    if (!line.startsWith('{')) return false;
    const { level, msg } = JSON.parse(line) as { level: string; msg: string };
    return (level !== 'error' && level !== 'fatal') || this.#expected?.test(msg) === true;
  }

  #names(): string[] {
    return existsSync(this.#directory)
      ? readdirSync(this.#directory).filter((name) => name.endsWith('.log'))
      : [];
  }

  *#news(): Generator<{ file: string; line: string }> {
    for (const file of this.#names()) {
      const known = this.#files.get(file) ?? {
        descriptor: openSync(join(this.#directory, file), 'r'),
        read: 0,
      };
      this.#files.set(file, known);
      const { size } = fstatSync(known.descriptor);
      if (size === known.read) continue;
      const bytes = Buffer.alloc(size - known.read);
      readSync(known.descriptor, bytes, 0, bytes.length, known.read);
      // The next check reads the incomplete last line.
      const end = bytes.lastIndexOf('\n') + 1;
      known.read += end;
      for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') yield { file, line };
    }
  }
}
