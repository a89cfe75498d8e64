import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { MongoServerError } from 'mongodb';
import type { Database, StoredCollection, StoredRecord } from './database.ts';
import { Refusal } from './refusal.ts';
import type { Principal } from './sessions.ts';

const QUOTA_BYTES = 1_073_741_824;
const DUPLICATE_KEY = 11_000;

/** Records with idempotent pushes and a quota, as a good engineer writes them in a day. */
export class Records {
  readonly #database: Database;
  /** Collections never change. */
  readonly #collections = new Map<string, StoredCollection>();

  constructor(database: Database) {
    this.#database = database;
  }

  async createCollection(
    { workspaceId, userId, role }: Principal,
    input: { readonly name: string; readonly member_writes_enabled: boolean },
  ) {
    if (role !== 'owner') throw new Refusal(403, 'owner_role_required');
    const about = { created_at: new Date(), created_by: userId };
    const collection = { _id: `col_${randomUUID()}`, workspace_id: workspaceId, ...input, ...about };
    await this.#database.collections.insertOne(collection);
    return { collection: { id: collection._id, ...input, ...about } };
  }

  async push(
    principal: Principal,
    input: {
      readonly collection_id: string;
      readonly payload: object;
      readonly idempotency_key?: string | undefined;
    },
  ) {
    const { collection_id, payload, idempotency_key } = input;
    const collection = await this.#collection(principal, collection_id);
    if (principal.role !== 'owner' && !collection.member_writes_enabled) {
      throw new Refusal(403, 'record_store_member_writes_disabled');
    }
    const record: StoredRecord = {
      _id: `rec_${randomUUID()}`,
      workspace_id: principal.workspaceId,
      collection_id,
      version: 1,
      state: 'active',
      payload,
      bytes: Buffer.byteLength(JSON.stringify(payload)),
      created_at: new Date(),
      created_by: principal.userId,
      ...(idempotency_key !== undefined && { push_key: idempotency_key }),
    };
    await this.#reserve(record);
    try {
      await this.#database.records.insertOne(record);
    } catch (error) {
      await this.#database.usage.updateOne(
        { _id: record.workspace_id },
        { $inc: { stored_bytes: -record.bytes } },
      );
      if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error;
      return { record: describe(await this.#firstPush(record)) };
    }
    return { record: describe(record) };
  }

  async get(principal: Principal, input: { readonly collection_id: string; readonly record_id: string }) {
    const { collection_id, record_id } = input;
    await this.#collection(principal, collection_id);
    const record = await this.#database.records.findOne({ _id: record_id });
    if (record?.workspace_id !== principal.workspaceId || record.collection_id !== collection_id) {
      throw new Refusal(400, 'record_store_record_not_found');
    }
    return { record: describe(record) };
  }

  /** Reserves the bytes of a Record in its Workspace's quota atomically, or refuses. */
  async #reserve({ workspace_id, bytes }: StoredRecord): Promise<void> {
    const { matchedCount } = await this.#database.usage.updateOne(
      { _id: workspace_id, stored_bytes: { $lte: QUOTA_BYTES - bytes } },
      { $inc: { stored_bytes: bytes } },
    );
    if (matchedCount === 0) throw new Refusal(400, 'record_store_quota_exceeded');
  }

  async #collection({ workspaceId }: Principal, id: string): Promise<StoredCollection> {
    const collection = this.#collections.get(id) ?? (await this.#database.collections.findOne({ _id: id }));
    if (collection === null || collection.workspace_id !== workspaceId) {
      throw new Refusal(400, 'record_store_collection_not_found');
    }
    this.#collections.set(id, collection);
    return collection;
  }

  /** The Record of the first push with this key, which must have had the same input. */
  async #firstPush({ workspace_id, collection_id, push_key, payload }: StoredRecord): Promise<StoredRecord> {
    const first = await this.#database.records.findOne({ workspace_id, collection_id, push_key: push_key! });
    if (isDeepStrictEqual(first?.payload, payload)) return first!;
    throw new Refusal(400, 'record_store_idempotency_conflict');
  }
}

/** A Record as callers see it. */
function describe({ _id, workspace_id, bytes, push_key, ...shown }: StoredRecord): object {
  return { id: _id, ...shown };
}
