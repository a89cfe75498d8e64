import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '../../demo-workspace.ts';
import { ordinaryCalls, type RepeatableCall, send } from './calls.ts';

/** How long a client waits before it repeats a call that failed, in milliseconds. */
const REPEAT_MS = 50;
/** How long it rests after one that succeeded: it is one of many. */
const REST_MS = 1;

/** A client that makes one call after the other, and repeats each with its key until it succeeds. */
export class RetryingClient {
  #isStopping = false;
  #awaited: { readonly since: number; readonly resolve: (seconds: number) => void } | undefined;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #ended: Promise<void>;

  constructor(url: string, demo: Demo, name: string) {
    this.#ended = this.#run(url, demo, name);
  }

  /** How many seconds it takes from a moment until a call has succeeded that was begun after it. */
  recovery(since: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited = { since, resolve };
    return promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
    this.#agent.destroy();
  }

  async #run(url: string, demo: Demo, name: string): Promise<void> {
    for await (const call of ordinaryCalls(url, demo, name)) {
      const begunAt = performance.now();
      await this.#succeed(url, demo.owner.token, call);
      if (this.#isStopping) return;
      const awaited = this.#awaited;
      if (awaited !== undefined && begunAt >= awaited.since) {
        awaited.resolve((performance.now() - awaited.since) / 1000);
        this.#awaited = undefined;
      }
      await delay(REST_MS);
    }
  }

  async #succeed(url: string, token: string, call: RepeatableCall): Promise<void> {
    while ((await send(url, this.#agent, token, call)) !== 200 && !this.#isStopping) await delay(REPEAT_MS);
  }
}
