import { randomUUID } from 'node:crypto';
import type { Database, StoredCollection } from './database.ts';
import type { Input } from './input.ts';
import type { Principal } from './members.ts';
import { Refusal } from './refusal.ts';

/** Caches Collections, which never change. */
export class Collections {
  readonly #database: Database;
  readonly #known = new Map<string, StoredCollection>();

  constructor(database: Database) {
    this.#database = database;
  }

  async create(principal: Principal, input: Input<'record_store.create_collection'>) {
    if (principal.role !== 'owner') throw new Refusal(403, 'owner_role_required');
    const collection = {
      _id: `col_${randomUUID()}`,
      workspace_id: principal.workspaceId,
      ...input,
      created_at: new Date(),
      created_by: principal.userId,
    };
    await this.#database.collections.insertOne(collection);
    const { _id, workspace_id, ...shown } = collection;
    return { collection: { id: _id, ...shown } };
  }

  async readable({ workspaceId }: Principal, id: string): Promise<StoredCollection> {
    const collection = this.#known.get(id) ?? (await this.#database.collections.findOne({ _id: id }));
    if (collection === null || collection.workspace_id !== workspaceId) {
      throw new Refusal(400, 'record_store_collection_not_found');
    }
    this.#known.set(id, collection);
    return collection;
  }

  async writable(principal: Principal, id: string): Promise<StoredCollection> {
    const collection = await this.readable(principal, id);
    if (principal.role !== 'owner' && !collection.member_writes_enabled) {
      throw new Refusal(403, 'record_store_member_writes_disabled');
    }
    return collection;
  }
}
