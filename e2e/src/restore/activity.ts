import { setTimeout as delay } from 'node:timers/promises';
import { addFile } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { createGrant } from '../http.ts';
import type { Operator } from '../operator.ts';
import { execute, RETRY_AFTER_MS } from '../stack-process.ts';

/** The kinds of things that callers make, each in the database of one service. */
export const kinds = {
  record: 'record-store',
  revision: 'record-store',
  grant: 'grants',
  draft: 'mail',
  procedure: 'procedures',
  file: 'knowledge',
} as const;
export type Kind = keyof typeof kinds;

/** A thing whose making was acknowledged. */
export interface Thing {
  readonly kind: Kind;
  readonly key: string;
  /** When the call began and its answer came, in milliseconds of `performance.now()`. */
  readonly begunAt: number;
  readonly doneAt: number;
  /** What the answer names: the same again when the thing still exists. */
  readonly result: string;
}

const CLIENTS = 12;
const MORE = 20;

/** Callers that make things with keys, and remember what was acknowledged. */
export class Activity {
  readonly #demo: Demo;
  readonly #operator: () => Operator;
  readonly collection: string;
  readonly things: Thing[] = [];
  /** The secrets of grants, by key. */
  readonly secrets = new Map<string, string>();
  /** The present id of the Record of each key. */
  readonly #records = new Map<string, string>();
  readonly #expiresAt = new Date(Date.now() + 6 * 3_600_000).toISOString();
  #isStopping = false;
  #running: Promise<unknown> = Promise.resolve();
  #next = 0;

  private constructor(demo: Demo, operator: () => Operator, collection: string) {
    this.#demo = demo;
    this.#operator = operator;
    this.collection = collection;
  }

  /** @param operator the connection to the platform as it runs now. */
  static async begin(demo: Demo, operator: () => Operator, name: string): Promise<Activity> {
    const { body } = await execute(demo.base_url, demo.owner.token, 'record_store.create_collection', {
      name,
    });
    const { collection } = body.result as unknown as { collection: { id: string } };
    const activity = new Activity(demo, operator, collection.id);
    activity.#running = Promise.all(Array.from({ length: CLIENTS }, () => activity.#client(name)));
    return activity;
  }

  /** The things of a kind. */
  of(kind: Kind): Thing[] {
    return this.things.filter((thing) => thing.kind === kind);
  }

  /** Makes some more Records, one after the other; returns their ids. */
  async more(): Promise<string[]> {
    const from = this.things.length;
    for (let index = 0; index < MORE; index++)
      await this.#record('record', `${this.collection}-more-${index}`);
    return this.things.slice(from).map(({ result }) => result);
  }

  /** Resolves when every call under way is answered. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** Makes everything again with the same keys; returns the results by thing. */
  async repeatAll(): Promise<ReadonlyMap<Thing, string>> {
    const results = new Map<Thing, string>();
    const left = this.things.toSorted((one, other) => one.doneAt - other.doneAt);
    // One after the other: a revision needs the Record before it.
    for (const thing of left) results.set(thing, await this.#make(thing.kind, thing.key));
    return results;
  }

  async #client(name: string): Promise<void> {
    while (!this.#isStopping) {
      const index = this.#next++;
      const key = `${name}-${index}`;
      await this.#record('record', key);
      if (index % 3 === 0) await this.#record('revision', key);
      const rare = (['grant', 'draft', 'procedure', 'file'] as const)[index % 12];
      if (rare !== undefined) await this.#record(rare, key);
    }
  }

  async #record(kind: Kind, key: string): Promise<void> {
    const begunAt = performance.now();
    const result = await this.#make(kind, key);
    this.things.push({ kind, key, begunAt, doneAt: performance.now(), result });
  }

  /** Makes a thing with its key, or meets the one that exists. */
  async #make(kind: Kind, key: string): Promise<string> {
    const collection_id = this.collection;
    switch (kind) {
      case 'record': {
        const input = { collection_id, payload: { key }, idempotency_key: key };
        const { record } = await this.#settle<{ record: { id: string } }>('record_store.push_record', input);
        this.#records.set(key, record.id);
        return record.id;
      }
      case 'revision': {
        const record_id = this.#records.get(key);
        const input = { collection_id, record_id, payload: { key, again: true }, idempotency_key: key };
        const { record } = await this.#settle<{ record: { id: string; version: number } }>(
          'record_store.replace_record',
          input,
        );
        return `${record.id} ${record.version}`;
      }
      case 'draft': {
        const email = { to: ['ada@example.com'], subject: key, body: key, idempotency_key: key };
        return (await this.#settle<{ draft_id: string }>('mail.send_email', email)).draft_id;
      }
      case 'procedure': {
        const procedure = { slug: key, title: key, description: '', markdown: key };
        return JSON.stringify(await this.#settle('procedures.create_draft', procedure));
      }
      case 'grant': {
        const { base_url, owner } = this.#demo;
        const operationScope = 'record_store.list_collections';
        const grant = { operationScope, idempotencyKey: key, expiresAt: this.#expiresAt };
        const { id, secret } = await createGrant(base_url, owner.token, grant);
        if (secret !== undefined) this.secrets.set(key, secret);
        return id;
      }
      case 'file': {
        const { file } = await this.#operator().call(addFile, {
          workspace: this.#demo.workspace_id,
          path: key,
        });
        return file.key;
      }
    }
  }

  /** Repeats an operation until its outcome is known. */
  async #settle<Result>(operation: string, input: object): Promise<Result> {
    for (;;) {
      const { status, body } = await execute(this.#demo.base_url, this.#demo.owner.token, operation, input);
      if (status === 200) return body.result as unknown as Result;
      if (![0, 502, 503].includes(status)) throw new Error(`${operation}: ${JSON.stringify(body)}`);
      await delay(RETRY_AFTER_MS);
    }
  }
}
