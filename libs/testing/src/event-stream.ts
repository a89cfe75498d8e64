/** One event of a stream, or a block without data. */
export interface ReceivedEvent {
  readonly id: string | undefined;
  /** The name of the event; `message` by default. */
  readonly name: string;
  /** The JSON value of its data; undefined without data. */
  readonly data: { readonly id?: string; readonly [field: string]: unknown } | undefined;
}

/** A client of a stream of server-sent events. */
export class EventStreamClient {
  /** Kept, because Node.js ends an unread body whose response was collected. */
  readonly #response: Response;
  readonly #blocks: AsyncGenerator<string>;
  readonly #abort: AbortController;
  /** The last id, which a browser would send as Last-Event-ID. */
  lastId: string | undefined;

  private constructor(response: Response, abort: AbortController) {
    this.#response = response;
    this.#blocks = blocksOf(response.body!);
    this.#abort = abort;
  }

  get status(): number {
    return this.#response.status;
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  /** Opens a stream, and resolves when its answer begins. */
  static async open(
    url: string,
    token: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventStreamClient> {
    const abort = new AbortController();
    const { signal } = abort;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}`, ...headers }, signal });
    return new EventStreamClient(response, abort);
  }

  /** The next block; undefined at the end of the stream. Rejects when the connection breaks. */
  async next(): Promise<ReceivedEvent | undefined> {
    const { value: block, done } = await this.#blocks.next();
    if (done) return undefined;
    const fields = new Map(
      block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
    );
    const [id, data] = [fields.get('id'), fields.get('data')];
    this.lastId = id ?? this.lastId;
    return {
      id,
      name: fields.get('event') ?? 'message',
      data: data === undefined ? undefined : JSON.parse(data),
    };
  }

  /** The next event with data; undefined at the end of the stream. */
  async event(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const next = await this.next();
      if (next === undefined || next.data !== undefined) return next;
    }
  }

  close(): void {
    this.#abort.abort();
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    yield* blocks;
  }
}
