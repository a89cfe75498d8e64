/** The most bytes of lines that are kept, each for lines up to `info` and for those above it, which others must not displace. */
const KEPT_BYTES = 1024 ** 2;
/** Bytes that a line takes besides its text. */
const LINE_BYTES = 100;

const encoder = new TextEncoder();

/** The last lines of a log, as bytes: an object that survives costs the garbage collector more than it takes to make it. */
export class RecentLines {
  readonly #important = new Ring();
  readonly #others = new Ring();

  add(line: string): void {
    const isImportant = /^\{"level":"(?:warn|error|fatal)"/.test(line);
    (isImportant ? this.#important : this.#others).add(unpooled(line));
  }

  /** The lines with a request id or a trace id, which may be the same: first those above `info`, of each the last first. */
  about(id: string): Record<string, unknown>[] {
    const bare = bareId(id);
    if (bare === '') return [];
    return [this.#important, this.#others]
      .flatMap(({ lines }) => lines.filter((line) => line.includes(bare)).toReversed())
      .map((line) => JSON.parse(line.toString()) as Record<string, unknown>)
      .filter(({ request_id, trace_id }) => [request_id, trace_id].some((each) => bareId(each) === bare));
  }
}

/** The bytes of a text in memory of their own: a line in the pool of Node.js would keep 64 KiB of it. */
function unpooled(text: string): Buffer {
  return Buffer.from(encoder.encode(text).buffer);
}

/** The id of a trace in the place of that of its request. */
function bareId(id: unknown): string {
  return String(id ?? '').replace(/^req_(?=[0-9a-f]{32}$)/, '');
}

class Ring {
  readonly lines: Buffer[] = [];
  #bytes = 0;

  add(line: Buffer): void {
    this.lines.push(line);
    this.#bytes += line.length + LINE_BYTES;
    while (this.#bytes > KEPT_BYTES) this.#bytes -= this.lines.shift()!.length + LINE_BYTES;
  }
}
