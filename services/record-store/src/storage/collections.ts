import type { NamedData, Timed } from '@action-platform/contracts/calls';
import { ActionError, limitReached } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type { CountedLimit, Limits } from '@action-platform/contracts/limits';
import { isCollectionName } from '@action-platform/contracts/operations';
import { batchedLookup, hasRoom, isDuplicateKey, whileAwaited, within } from '@action-platform/mongo';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { StoredCollection } from './stored-collection.ts';

/** The fields of a new Collection that its Owner sets. */
export type NewCollection = Pick<
  StoredCollection,
  'workspace_id' | 'name' | 'description' | 'member_writes_enabled' | 'created_by' | 'origin'
>;

/** The Collections of a Workspace for a page. */
interface CollectionListing {
  workspaceId: string;
  /** Limits the listing to these ids; undefined for all Collections. */
  ids: readonly string[] | undefined;
  /** The id after which the page starts. */
  after: string;
  /** The most Collections of the page; the query reads one more, which tells whether the listing goes on. */
  limit: number;
}

interface CollectionReference {
  readonly workspaceId: string;
  readonly id: string;
}

const REMEMBERED = 10_000;

/** The Collections of all Workspaces. */
export class Collections {
  readonly #collections: Collection<StoredCollection>;
  /** The most Collections of a Workspace. */
  readonly #max: CountedLimit;
  /** Entries never expire, because a Collection never changes. Misses are not cached. */
  readonly #known = new LRUCache<string, StoredCollection>({ max: REMEMBERED });
  readonly #lookUp = batchedLookup(
    'collections.find',
    {
      asked: ({ workspaceId, id }: CollectionReference) => `${workspaceId} ${id}`,
      found: ({ workspace_id, _id }: StoredCollection) => `${workspace_id} ${_id}`,
    },
    (references, timed) => {
      const workspace_id = { $in: [...new Set(references.map(({ workspaceId }) => workspaceId))] };
      const _id = { $in: references.map(({ id }) => id) };
      return this.#collections.find({ workspace_id, _id }, within(timed)).toArray();
    },
  );

  constructor(
    collections: Collection<StoredCollection>,
    { WORKSPACE_COLLECTIONS_MAX }: Pick<Limits, 'WORKSPACE_COLLECTIONS_MAX'>,
  ) {
    this.#collections = collections;
    this.#max = WORKSPACE_COLLECTIONS_MAX;
  }

  /**
   * Creates a Collection, or returns the existing one of this name, which may have other values.
   *
   * @throws ActionError `invalid_request` when the name is free and the Workspace has reached its limit of Collections.
   */
  async create(wanted: NewCollection, timed: Timed): Promise<StoredCollection> {
    const { workspace_id, name } = wanted;
    const mayCreate = await hasRoom(this.#collections, { workspace_id }, this.#max, timed);
    if (mayCreate) {
      const created = { _id: newId('collection'), ...wanted, created_at: new Date() };
      try {
        await this.#collections.insertOne(created, within(timed));
        return created;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
    const existing = await this.#collections.findOne({ workspace_id, name }, within(timed));
    if (existing !== null) return existing;
    if (!mayCreate) throw limitReached(`The Workspace has ${this.#max} Collections`);
    // A change of primary has undone the insert that held the name.
    throw new ActionError('action_platform_unavailable');
  }

  /** @throws ActionError `record_store_collection_not_found` when the Workspace has no such Collection. */
  async get(workspaceId: string, id: string, timed: Timed): Promise<StoredCollection> {
    const found = this.#known.get(id) ?? (await this.#lookUp({ workspaceId, id }, timed));
    if (found?.workspace_id !== workspaceId) throw new ActionError('record_store_collection_not_found');
    this.#known.set(id, found);
    return found;
  }

  /** The Collections of a Workspace for a page, oldest first. */
  list({ workspaceId, ids, after, limit }: CollectionListing, timed: Timed): AsyncIterable<StoredCollection> {
    const _id = ids === undefined ? { $gt: after } : { $gt: after, $in: [...ids] };
    const found = this.#collections.find(
      { workspace_id: workspaceId, _id },
      { sort: { _id: 1 }, limit: limit + 1, ...within(timed) },
    );
    return whileAwaited(found, timed);
  }

  /** The ids of all Collections of a Workspace, of which a limit bounds the number. */
  async ids(workspaceId: string, timed: Timed): Promise<string[]> {
    const ids = { projection: { _id: 1 }, ...within(timed) } as const;
    const found = await this.#collections.find({ workspace_id: workspaceId }, ids).toArray();
    return found.map(({ _id }) => _id);
  }

  /** The Collections of a Workspace among these ids and names. */
  async find(workspaceId: string, ids: readonly string[], timed: Timed): Promise<NamedData[]> {
    const texts = Map.groupBy(ids, isCollectionName);
    const either = [{ _id: { $in: texts.get(false) ?? [] } }, { name: { $in: texts.get(true) ?? [] } }];
    const found = this.#collections.find(
      { workspace_id: workspaceId, $or: either },
      { projection: { name: 1 }, ...within(timed) },
    );
    return (await found.toArray()).map(({ _id: id, name }) => ({ id, name }));
  }
}
