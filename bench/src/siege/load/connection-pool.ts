import { Client, type Dispatcher } from 'undici';
import type { RequestTemplate } from '../../load/load.ts';

/** Receives the outcome of a request. */
export interface RequestFate {
  onSent(): void;
  onAnswer(status: number, retryAfter: string | undefined): void;
  /** No complete answer arrived; the code of the failure says why. */
  onFailure(code: string): void;
}

/** Longer than a gateway lets a call wait. */
const PATIENCE_MS = 15_000;

/** The connection for a call: a new one below the limit, or the most recently used free one. */
export type Choice = 'new' | 'warm';

/**
 * Kept HTTP/1.1 connections, each with one request under way; a further request waits for a free one. It
 * uses undici below its streams and promises, as `load/http-driver.ts` does, for a low cost per request.
 */
export class ConnectionPool {
  readonly #origin: string;
  readonly #most: number;
  readonly #choice: Choice;
  readonly #clients: Client[] = [];
  readonly #free: Client[] = [];
  readonly #waiting: ((client: Client) => void)[] = [];
  #firstWaiting = 0;
  mostWaiting = 0;

  constructor(origin: string, most: number, choice: Choice) {
    this.#origin = origin;
    this.#most = most;
    this.#choice = choice;
  }

  send(
    { method, path }: RequestTemplate,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array,
    fate: RequestFate,
  ): void {
    const dispatch = (client: Client) => {
      fate.onSent();
      const options = { method, path, headers, ...(body.length > 0 && { body }) };
      const handler = new Answer(fate, () => this.#release(client));
      client.dispatch(options as Dispatcher.DispatchOptions, handler);
    };
    const client =
      this.#choice === 'new' ? (this.#open() ?? this.#free.pop()) : (this.#free.pop() ?? this.#open());
    if (client !== undefined) dispatch(client);
    else {
      this.#waiting.push(dispatch);
      this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.length - this.#firstWaiting);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.destroy()));
  }

  #open(): Client | undefined {
    if (this.#clients.length >= this.#most) return undefined;
    const client = new Client(this.#origin, {
      pipelining: 1,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    this.#clients.push(client);
    return client;
  }

  #release(client: Client): void {
    const next = this.#waiting[this.#firstWaiting];
    if (next === undefined) {
      this.#free.push(client);
      return;
    }
    this.#firstWaiting++;
    // `shift` would cost time linear in the length of the queue.
    if (this.#firstWaiting > 1000) {
      this.#waiting.splice(0, this.#firstWaiting);
      this.#firstWaiting = 0;
    }
    next(client);
  }
}

/** Waits for the end of an answer and discards it. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #fate: RequestFate;
  readonly #release: () => void;
  #status = 0;
  #retryAfter: string | undefined;

  constructor(fate: RequestFate, release: () => void) {
    this.#fate = fate;
    this.#release = release;
  }

  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#retryAfter = headers['retry-after']?.toString();
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.#fate.onAnswer(this.#status, this.#retryAfter);
    this.#release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: NodeJS.ErrnoException): void {
    this.#fate.onFailure(error.code ?? error.name);
    // A client takes no request while it fails its pending ones.
    setImmediate(this.#release);
  }
}
