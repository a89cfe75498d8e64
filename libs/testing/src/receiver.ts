import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** A request that a receiver got. */
export interface Received {
  /** The id of a webhook. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When its body had arrived, by `performance.now()`. */
  readonly at: number;
}

/** Answers a request; by default with 204. */
type Answering = (received: Received, response: ServerResponse) => unknown;

/** An endpoint on this machine, for webhooks or the calls of a custom operation. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answering = (_received, response) => response.writeHead(204).end();
  readonly #server: Server = createServer((request, response) => void this.#take(request, response));
  readonly #waiting = new Set<() => void>();
  url = '';

  static async start(answer?: Answering): Promise<Receiver> {
    const receiver = new Receiver();
    if (answer !== undefined) receiver.answer = answer;
    receiver.url = `http://127.0.0.1:${await listen(receiver.#server)}/hook`;
    return receiver;
  }

  /** Resolves once a condition holds, which is evaluated after each request. */
  async until(condition: (received: readonly Received[]) => boolean): Promise<void> {
    while (!condition(this.received)) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A sender that is killed or gives up leaves no whole body.
    const chunks: Buffer[] = await request.toArray().catch(() => []);
    const headers = request.headers as Record<string, string>;
    const received = {
      id: headers['webhook-id']!,
      method: request.method!,
      path: request.url!,
      headers,
      body: Buffer.concat(chunks).toString(),
      at: performance.now(),
    };
    this.received.push(received);
    this.answer(received, response);
    for (const notify of this.#waiting) notify();
    this.#waiting.clear();
  }
}
