import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { requireThat } from '../target.ts';

/** Servers that are not ours log what they like, but nothing that a caller sent. */
const FOREIGN = /^(mongod|nats-server)/;

/** What the processes of a platform log from now on. */
export class LogWatch {
  readonly #directory: string;
  readonly #mark: string;
  readonly #expected: RegExp | undefined;
  readonly #files = new Map<string, { readonly descriptor: number; read: number }>();

  /**
   * @param directory with one log file per process.
   * @param mark what no line may have in it.
   * @param expected errors that are what the log is for, by their message.
   */
  constructor(directory: string, mark: string, expected?: RegExp) {
    this.#directory = directory;
    this.#mark = mark;
    this.#expected = expected;
    for (const line of this.#news()) void line;
  }

  /** @throws Finding when something was logged that must not be: an error, a crash, what a caller sent. */
  check(): void {
    // All of it is read before any is judged: what is left would be taken for the next input's.
    for (const { file, line } of [...this.#news()]) {
      requireThat(!line.includes(this.#mark), `the log ${file} has something in it that a caller sent`);
      if (!FOREIGN.test(file))
        requireThat(this.#isHarmless(line), `the log ${file} says: ${line.slice(0, 1000)}`);
    }
  }

  /** The ids of the processes that have said they are ready. */
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
      // A line that is still being written is for the next time.
      const end = bytes.lastIndexOf('\n') + 1;
      known.read += end;
      for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') yield { file, line };
    }
  }
}
