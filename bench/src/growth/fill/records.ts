import { deepStrictEqual } from 'node:assert/strict';
import { newId } from '@action-platform/contracts';
import type { Document } from 'mongodb';
import type { RecordReference } from '../../scenarios/sample-data.ts';
import type { Side } from '../side.ts';
import { multiply, storedOne } from './multiply.ts';

/** A small Record. */
export const SMALL_PAYLOAD = { name: 'Ada Lovelace', city: 'London', visits: 3 };

/** About how many Records of a Collection the calls use. */
const SAMPLED = 10_000;

/** A Collection that can be filled with copies of its first Record, which the platform wrote. */
export class GrowingCollection {
  readonly id: string;
  /** A sample of its Records, evenly spaced, in their order. */
  sample: readonly RecordReference[];
  readonly #side: Side;
  readonly #first: Document;
  #count = 1;
  #sampledEvery = 1;

  private constructor(side: Side, first: Document) {
    this.#side = side;
    this.#first = first;
    this.id = first.collection_id;
    this.sample = [{ collection_id: this.id, record_id: first._id }];
  }

  /** Creates a Collection and pushes its first Record, with a key. */
  static async start(side: Side, payload: object = SMALL_PAYLOAD): Promise<GrowingCollection> {
    const made = { name: `growth ${crypto.randomUUID()}` };
    const { collection } = await side.api.call<{ collection: { id: string } }>(
      'record_store.create_collection',
      made,
    );
    const push = { collection_id: collection.id, payload, idempotency_key: crypto.randomUUID() };
    const { record } = await side.api.call<{ record: { id: string } }>('record_store.push_record', push);
    return new GrowingCollection(side, await storedOne(heads(side), { _id: record.id }));
  }

  /** Fills it up to this number of Records, and checks that the last reads like the first. */
  async growTo(count: number): Promise<void> {
    const more = count - this.#count;
    const every = Math.ceil(count / SAMPLED);
    const thinner = this.sample.filter((_, index) => index % Math.ceil(every / this.#sampledEvery) === 0);
    const added: string[] = [];
    await multiply(heads(this.#side), more, this.#first, (index) => {
      const _id = newId('record');
      if (index % every === 0) added.push(_id);
      return { _id, write_id: crypto.randomUUID(), push_idempotency_key: crypto.randomUUID() };
    });
    await addStoredBytes(this.#side, more * this.#first.bytes);
    this.sample = [...thinner, ...added.map((record_id) => ({ collection_id: this.id, record_id }))];
    this.#count = count;
    this.#sampledEvery = every;
    const [first, last] = [this.#first._id, this.sample.at(-1)!.record_id];
    deepStrictEqual(await this.#get(last), { ...(await this.#get(first)), id: last });
  }

  async #get(record_id: string): Promise<object> {
    const reference = { collection_id: this.id, record_id };
    return (await this.#side.api.call<{ record: object }>('record_store.get_record', reference)).record;
  }
}

/** Adds the filled-in bytes to the usage of the caller's Workspace. */
export async function addStoredBytes({ stored, caller }: Side, bytes: number): Promise<void> {
  await stored('record-store', 'usage').updateOne(
    { _id: caller.workspace as never },
    { $inc: { stored_bytes: bytes } },
  );
}

function heads(side: Side) {
  return side.stored('record-store', 'records');
}
