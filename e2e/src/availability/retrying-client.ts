import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { ordinaryCalls, type RepeatableCall, send } from '@action-platform/testing';
import { RecoveryTime } from './recovery-time.ts';

/** How long a client waits before it repeats a call that failed, in milliseconds. */
const REPEAT_MS = 50;
/** The pause after a call that succeeded, in milliseconds. */
const REST_MS = 1;

/** A client that makes one call after the other, and repeats each with its key until it succeeds. */
export class RetryingClient {
  #isStopping = false;
  readonly recovery = new RecoveryTime();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #ended: Promise<void>;

  constructor(url: string, demo: Demo, name: string) {
    this.#ended = this.#run(url, demo, name);
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
      this.recovery.succeeded(begunAt);
      await delay(REST_MS);
    }
  }

  async #succeed(url: string, token: string, call: RepeatableCall): Promise<void> {
    while ((await send(url, this.#agent, token, call)) !== 200 && !this.#isStopping) await delay(REPEAT_MS);
  }
}
