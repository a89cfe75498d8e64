import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Collections } from './collections.ts';
import type { Database, StoredRecord } from './database.ts';
import type { Input } from './input.ts';
import type { Principal } from './members.ts';
import { giveBackBytes, isDuplicateKey, reserveBytes } from './quota.ts';
import { Refusal } from './refusal.ts';

/** Records with versions, history, idempotent pushes and a quota, as a good engineer writes them in a day. */
export class Records {
  readonly collections: Collections;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.collections = new Collections(database);
  }

  async push(
    principal: Principal,
    { collection_id, payload, idempotency_key }: Input<'record_store.push_record'>,
  ) {
    await this.collections.writable(principal, collection_id);
    const { workspaceId, userId } = principal;
    const now = new Date();
    const record: StoredRecord = {
      _id: `rec_${randomUUID()}`,
      workspace_id: workspaceId,
      collection_id,
      version: 1,
      state: 'active',
      payload,
      bytes: bytesOf(payload),
      created_at: now,
      created_by: userId,
      updated_at: now,
      updated_by: userId,
      ...(idempotency_key !== undefined && { push_key: idempotency_key }),
    };
    await reserveBytes(this.#database, workspaceId, record.bytes);
    try {
      await this.#database.records.insertOne(record);
    } catch (error) {
      await giveBackBytes(this.#database, workspaceId, record.bytes);
      if (!isDuplicateKey(error)) throw error;
      return { record: describe(await this.#firstPush(record)) };
    }
    return { record: describe(record) };
  }

  async replace(principal: Principal, input: Input<'record_store.replace_record'>) {
    await this.collections.writable(principal, input.collection_id);
    const bytes = bytesOf(input.payload);
    await reserveBytes(this.#database, principal.workspaceId, bytes);
    try {
      return { record: describe(await this.#replaced(principal, input, bytes)) };
    } catch (error) {
      await giveBackBytes(this.#database, principal.workspaceId, bytes);
      throw error;
    }
  }

  async get(principal: Principal, { collection_id, record_id }: Input<'record_store.get_record'>) {
    await this.collections.readable(principal, collection_id);
    return { record: describe(await this.#find(principal, collection_id, record_id)) };
  }

  async history(
    principal: Principal,
    { collection_id, record_id }: Input<'record_store.get_record_history'>,
  ) {
    await this.collections.readable(principal, collection_id);
    const head = await this.#find(principal, collection_id, record_id);
    const earlier = await this.#database.revisions
      .find({ record_id, version: { $lt: head.version } }, { sort: { version: 1 } })
      .toArray();
    const revisions = earlier.map(({ version, payload, created_at, created_by }) => ({
      version,
      payload,
      created_at,
      created_by,
    }));
    const { version, payload, updated_at: created_at, updated_by: created_by } = head;
    return { revisions: [...revisions, { version, payload, created_at, created_by }], next_cursor: null };
  }

  async list(principal: Principal, { collection_id, limit, cursor }: Input<'record_store.list_records'>) {
    await this.collections.readable(principal, collection_id);
    const found = await this.#database.records
      .find(
        {
          workspace_id: principal.workspaceId,
          collection_id,
          state: 'active',
          ...(cursor !== undefined && { _id: { $gt: cursor } }),
        },
        { sort: { _id: 1 }, limit: limit + 1, batchSize: limit + 1 },
      )
      .toArray();
    const page = found.slice(0, limit);
    return { records: page.map(describe), next_cursor: found.length > limit ? page.at(-1)!._id : null };
  }

  /** Stores the current revision in the history first, then compares and sets the head. */
  async #replaced(
    principal: Principal,
    { collection_id, record_id, payload, expected_version }: Input<'record_store.replace_record'>,
    bytes: number,
  ): Promise<StoredRecord> {
    for (;;) {
      const head = await this.#find(principal, collection_id, record_id);
      if (expected_version !== undefined && expected_version !== head.version) {
        throw new Refusal(400, 'record_store_stale_version');
      }
      await this.#keep(head);
      const changes = {
        version: head.version + 1,
        payload,
        bytes,
        updated_at: new Date(),
        updated_by: principal.userId,
      };
      const { modifiedCount } = await this.#database.records.updateOne(
        { _id: record_id, version: head.version },
        { $set: changes },
      );
      if (modifiedCount === 1) return { ...head, ...changes };
    }
  }

  async #keep({ _id, version, payload, updated_at, updated_by }: StoredRecord): Promise<void> {
    const kept = { record_id: _id, version, payload, created_at: updated_at, created_by: updated_by };
    try {
      await this.#database.revisions.insertOne({ _id: `${_id}/${version}`, ...kept });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async #find({ workspaceId }: Principal, collectionId: string, id: string): Promise<StoredRecord> {
    const record = await this.#database.records.findOne({ _id: id });
    if (record === null || record.workspace_id !== workspaceId || record.collection_id !== collectionId) {
      throw new Refusal(400, 'record_store_record_not_found');
    }
    return record;
  }

  /** The Record of the first push with this key, which must have had the same input. */
  async #firstPush({ workspace_id, collection_id, push_key, payload }: StoredRecord): Promise<StoredRecord> {
    const first = await this.#database.records.findOne({ workspace_id, collection_id, push_key: push_key! });
    if (first?.version === 1 && isDeepStrictEqual(first.payload, payload)) return first;
    const kept = first && (await this.#database.revisions.findOne({ record_id: first._id, version: 1 }));
    if (first && kept && isDeepStrictEqual(kept.payload, payload)) return { ...first, version: 1, payload };
    throw new Refusal(400, 'record_store_idempotency_conflict');
  }
}

function bytesOf(payload: object): number {
  return Buffer.byteLength(JSON.stringify(payload));
}

/** A Record as callers see it. */
function describe({ _id, workspace_id, bytes, push_key, ...shown }: StoredRecord): object {
  return { id: _id, ...shown };
}
