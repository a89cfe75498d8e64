import { ok } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { send } from '../http.ts';
import { execute, RETRY_AFTER_MS } from '../stack-process.ts';

/** An endpoint as its creation answers. */
export interface Created {
  readonly endpoint: { readonly id: string };
  readonly secret: string;
}

/** Writes and webhook endpoints of the Owner of a platform. */
export class Owner {
  readonly #demo: Demo;
  #pushes = 0;

  constructor(demo: Demo) {
    this.#demo = demo;
  }

  async manage<Result = Created>(method: string, path: string, body?: object): Promise<Result> {
    const answer = await send(this.#demo.base_url, {
      method,
      path: `/api/v1/webhook-endpoints${path}`,
      token: this.#demo.owner.token,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Result;
  }

  /** Creates a Collection, and returns its id. */
  async collection(name: string): Promise<string> {
    return (await this.#operate('create_collection', { name })).collection!.id;
  }

  /** Makes so many commits of a new Record, each acknowledged before the next; returns its id. */
  async commit(collection_id: string, commits: number): Promise<string> {
    const key = `r${this.#pushes++}`;
    const pushed = await this.#operate('push_record', {
      collection_id,
      payload: { n: 0 },
      idempotency_key: key,
    });
    const record_id = pushed.record!.id;
    for (let n = 1; n < commits; n++) {
      const patch = { collection_id, record_id, patch: { n }, idempotency_key: `${key}v${n}` };
      await this.#operate('patch_record', patch);
    }
    return record_id;
  }

  /** Executes an operation until it is acknowledged. */
  async #operate(operation: string, input: object): Promise<Record<string, { id: string }>> {
    const { base_url, owner } = this.#demo;
    for (;;) {
      const { status, body } = await execute(base_url, owner.token, `record_store.${operation}`, input);
      if (status === 200) return body.result as never;
      await delay(RETRY_AFTER_MS);
    }
  }
}
