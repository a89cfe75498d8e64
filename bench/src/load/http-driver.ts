import { Client, type Dispatcher } from 'undici';
import type { Driver, RequestTemplate } from './load.ts';

/**
 * HTTP/1.1, a kept connection for each client. It uses undici below its streams and promises, so that the generator
 * leaves most of the processors to the platform.
 */
export function httpDriver(origin: string, token: string | undefined): Driver {
  const clients: Client[] = [];
  const headersOf = (bearer: string | undefined) => ({
    'content-type': 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  });
  const ownHeaders = headersOf(token);
  return {
    client: async () => {
      const client = new Client(origin, { pipelining: 1 });
      clients.push(client);
      return ({ method, path }: RequestTemplate, body: string, bearer?: string) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const headers = bearer === undefined ? ownHeaders : headersOf(bearer);
        const options = { method, path, headers, ...(method === 'POST' && { body }) };
        client.dispatch(options as Dispatcher.DispatchOptions, new Answer(resolve, reject));
        return promise;
      };
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** Waits for the end of an answer; keeps only the beginning of a refusal. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #resolve: () => void;
  readonly #reject: (reason: Error) => void;
  #status = 0;
  #refusal = '';

  constructor(resolve: () => void, reject: (reason: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#status !== 200) this.#refusal += chunk.toString();
  }

  onResponseEnd(): void {
    if (this.#status === 200) this.#resolve();
    else this.#reject(new Error(`${this.#status} ${this.#refusal.slice(0, 300)}`));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}
