import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createCollection, getRecord, listRecords, pushRecord } from '@action-platform/contracts';
import { expect } from '@jest/globals';

/** The fields of answers that the bystander checks. */
interface Body {
  readonly result: {
    readonly collection: { id: string };
    readonly record: { id: string; payload: { mark: string } };
    readonly records: object[];
  };
  readonly operations: object[];
  readonly grants: object[];
}

/** The timeout of a call, in milliseconds: generous, for busy machines. */
const TIMEOUT_MS = 10_000;
/** The pause between its rounds, in milliseconds: calls without a pause would keep a processor busy. */
const PAUSE_MS = 200;

/** A caller that uses only services that are not rogues. */
export class Bystander {
  readonly #url: string;
  readonly #token: string;
  readonly #collection: string;

  private constructor(url: string, token: string, collection: string) {
    this.#url = url;
    this.#token = token;
    this.#collection = collection;
  }

  static async of(url: string, token: string): Promise<Bystander> {
    const name = `of a bystander ${randomUUID()}`;
    const { result } = await new Bystander(url, token, '').#run(createCollection, { name });
    return new Bystander(url, token, result.collection.id);
  }

  /** Calls the platform until the returned function is called, which rejects when any call failed. */
  begin(): () => Promise<void> {
    const over = new AbortController();
    const using = (async () => {
      do {
        await this.#round();
        await delay(PAUSE_MS, undefined, { signal: over.signal }).catch(() => {});
      } while (!over.signal.aborted);
    })();
    using.catch(() => {});
    return async () => {
      over.abort();
      await using;
    };
  }

  /** Makes each call once; every answer must belong to its request. */
  async #round(): Promise<void> {
    const mark = randomUUID();
    const collection_id = this.#collection;
    const [pushed, { operations }, { grants }] = await Promise.all([
      this.#run(pushRecord, { collection_id, payload: { mark }, idempotency_key: mark }),
      this.#send('GET', 'operations'),
      this.#send('GET', 'operation-grants'),
    ]);
    const { record } = pushed.result;
    expect(record.payload).toEqual({ mark });
    expect(operations.length).toBeGreaterThan(10);
    expect(grants).toEqual([]);
    const [got, listed] = await Promise.all([
      this.#run(getRecord, { collection_id, record_id: record.id }),
      this.#run(listRecords, { collection_id, limit: 1 }),
    ]);
    expect(got.result.record).toEqual(record);
    expect(listed.result.records).toHaveLength(1);
  }

  #run({ id }: { readonly id: string }, input: object): Promise<Body> {
    return this.#send('POST', `operations/${id}`, input);
  }

  async #send(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${this.#url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${path} of a bystander met ${response.status}: ${answer}`);
    return JSON.parse(answer) as Body;
  }
}
