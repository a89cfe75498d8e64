import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { RECORDS_OF_A_CALL_MAX } from '@action-platform/contracts/limits';
import type { RecordState } from '@action-platform/contracts/operations';
import { Batcher, batchedLookup, insertEach, whileAwaited, within } from '@action-platform/mongo';
import { LRUCache } from 'lru-cache';
import type { ClientBulkWriteModel, Collection, FindCursor } from 'mongodb';
import type { Snapshot } from './snapshot.ts';
import type { Head, RecordReference, StoredHead, Tombstone } from './stored-head.ts';

type OfCollection = Pick<RecordReference, 'workspaceId' | 'collectionId'>;

/** The Records of a Collection for a page. */
interface RecordListing extends OfCollection {
  states: readonly RecordState[];
  /** The id after which the page starts. */
  after: string;
  /** The most Records of the page; the query reads one more, which tells whether the listing goes on. */
  limit: number;
}

interface Replacement {
  readonly current: Head;
  readonly next: Head | Tombstone;
}

/** The most documents in the server's first batch of an answer. */
const FOUND_AT_ONCE = 100;
const WRITTEN_AT_ONCE = { maxItems: 500, maxBytes: 8 * 1024 * 1024 };
/** Of so many calls with several Records one command inserts all. */
const CALLS_AT_ONCE = Math.floor(WRITTEN_AT_ONCE.maxItems / RECORDS_OF_A_CALL_MAX);
/** The Records in each batch of a Collection that was not listed yet: a page of the default length takes three batches. */
const LISTED_FIRST = 21;
/** About the bytes in a batch of a listing, and of a Record beside its payload. */
const [BATCH_BYTES, BESIDE_PAYLOAD_BYTES] = [1024 * 1024, 500];
/** The Collections whose mean size of Records is remembered. */
const COLLECTIONS_REMEMBERED = 10_000;

/** Few enough that the database reads them well within the time limit of a command when each has the largest payload. */
const SUMMED_AT_ONCE = 10_000;
/** How many tombstones one query reads: MongoDB would close a cursor that rests during a long purge. */
const PURGED_TOGETHER = 100;
/** The states of heads and tombstones. */
const STORED_STATES: readonly Exclude<StoredHead['state'], 'void'>[] = ['active', 'archived', 'deleted'];

/** The heads of all Records. Batchers combine concurrent look-ups, insertions and replacements into one command of each kind. */
export class Heads {
  readonly #heads: Collection<StoredHead>;
  /** The mean bytes of the Records that the last listing of a Collection read. */
  readonly #meanBytes = new LRUCache<string, number>({ max: COLLECTIONS_REMEMBERED });
  readonly #insertions = new Batcher(
    'records.insert',
    { ...WRITTEN_AT_ONCE, bytesOf: ({ bytes }: Head) => bytes },
    async (heads: readonly Head[], timed) =>
      (await insertEach(this.#heads, heads, timed)).map((value) => ({ value })),
  );
  /** The Records of a call each; apart from single ones, which do not wait for them. */
  readonly #insertionsOfCalls = new Batcher(
    'records.insert_many',
    { ...WRITTEN_AT_ONCE, maxItems: CALLS_AT_ONCE, bytesOf },
    async (calls: readonly (readonly Head[])[], timed) => {
      const made = (await insertEach(this.#heads, calls.flat(), timed)).values();
      return calls.map((heads) => ({ value: heads.map(() => made.next().value!) }));
    },
  );
  readonly #replacements = new Batcher(
    'records.replace',
    { ...WRITTEN_AT_ONCE, bytesOf: ({ next }: Replacement) => (next.state === 'deleted' ? 0 : next.bytes) },
    async (items: readonly Replacement[], timed) =>
      (await this.#replaceAll(items, timed)).map((value) => ({ value })),
  );
  readonly #lookUp = batchedLookup(
    'records.find',
    {
      asked: ({ workspaceId, recordId }: RecordReference) => `${workspaceId} ${recordId}`,
      found: ({ workspace_id, _id }: StoredHead) => `${workspace_id} ${_id}`,
    },
    (references, timed) => {
      const filter = {
        workspace_id: { $in: [...new Set(references.map(({ workspaceId }) => workspaceId))] },
        _id: { $in: references.map(({ recordId }) => recordId) },
      };
      return this.#heads.find(filter, within(timed)).toArray();
    },
    { maxKeys: FOUND_AT_ONCE },
  );

  constructor(heads: Collection<StoredHead>) {
    this.#heads = heads;
  }

  /** The head of a Record, or its tombstone. */
  async find(reference: RecordReference, timed: Timed): Promise<Head | Tombstone | undefined> {
    const head = await this.#lookUp(reference, timed);
    if (head === undefined || head.state === 'void') return undefined;
    return head.collection_id === reference.collectionId ? head : undefined;
  }

  /** @throws ActionError `record_store_record_not_found` when the Record does not exist or was deleted. */
  async get(reference: RecordReference, timed: Timed): Promise<Head> {
    const head = await this.find(reference, timed);
    if (head === undefined || head.state === 'deleted')
      throw new ActionError('record_store_record_not_found');
    return head;
  }

  /** The head or tombstone of the Record that was pushed with a key; null when the key is free. */
  async findByPushKey(
    workspaceId: string,
    collectionId: string,
    key: string,
    timed: Timed,
  ): Promise<Head | Tombstone | null> {
    const filter = { workspace_id: workspaceId, collection_id: collectionId, push_idempotency_key: key };
    return (await this.#heads.findOne(filter, within(timed))) as Head | Tombstone | null;
  }

  /** The heads and tombstones of the Records that were pushed with these keys. */
  async findByPushKeys(
    workspace_id: string,
    collection_id: string,
    keys: readonly string[],
    timed: Timed,
  ): Promise<(Head | Tombstone)[]> {
    const filter = { workspace_id, collection_id, push_idempotency_key: { $in: [...keys] } };
    return (await this.#heads.find(filter, within(timed)).toArray()) as (Head | Tombstone)[];
  }

  /** The sizes of the Records of a Collection that exist among these, by id. */
  async sizes(collection: OfCollection, ids: readonly string[], timed: Timed): Promise<Map<string, number>> {
    const read = { state: 1, collection_id: 1, bytes: 1 };
    const found = await this.#among(collection, ids, timed).project<Head>(read).toArray();
    return new Map(found.filter(isKeptIn(collection)).map(({ _id, bytes }) => [_id, bytes]));
  }

  /** The Records of a Collection that exist among these, by id. */
  async existing(collection: OfCollection, ids: readonly string[], timed: Timed): Promise<Map<string, Head>> {
    const found = await this.#among(collection, ids, timed).toArray();
    return new Map(found.filter(isKeptIn(collection)).map((head) => [head._id, head]));
  }

  /**
   * The Records of a Collection for a page, in the order of their ids. Ids never change, and the database reads a page at
   * one point in time, so a Record that changes its state meanwhile is neither skipped nor repeated. The batches of the read follow the
   * mean size of the Records last listed in the Collection, so a page of large payloads reads few Records beyond its end.
   */
  async *list(
    { workspaceId, collectionId, states, after, limit }: RecordListing,
    timed: Timed,
  ): AsyncGenerator<Head> {
    const mean = this.#meanBytes.get(collectionId);
    const batchSize = mean === undefined ? LISTED_FIRST : Math.max(2, Math.floor(BATCH_BYTES / mean));
    const filter = {
      workspace_id: workspaceId,
      collection_id: collectionId,
      state: { $in: [...states] },
      _id: { $gt: after },
    };
    const page = { sort: { _id: 1 }, limit: limit + 1, batchSize: Math.min(batchSize, limit + 1) } as const;
    const found = this.#heads.find(filter, {
      ...page,
      readConcern: { level: 'snapshot' },
      ...within(timed),
    });
    let [records, bytes] = [0, 0];
    try {
      for await (const head of whileAwaited(found as AsyncIterable<Head>, timed)) {
        records++;
        bytes += head.bytes + BESIDE_PAYLOAD_BYTES;
        yield head;
      }
    } finally {
      if (records > 0) this.#meanBytes.set(collectionId, bytes / records);
    }
  }

  /** The insertion that commits a push, for a command of the caller's. */
  insertion(head: Head) {
    return { name: 'insertOne', namespace: this.#heads.namespace, document: head } as const;
  }

  /** Commits a push; false when its key is taken, or recovery has aborted it by taking its id. */
  insert(head: Head, timed: Timed): Promise<boolean> {
    return this.#insertions.submit(head, timed);
  }

  /** Commits several pushes with one command; false for each as {@link insert}. */
  insertAll(heads: readonly Head[], timed: Timed): Promise<boolean[]> {
    return this.#insertionsOfCalls.submit(heads, timed);
  }

  /** Commits a change of a Record; false when the head is no longer `current`, or recovery has raised its fence. */
  replace(current: Head, next: Head | Tombstone, timed: Timed): Promise<boolean> {
    return this.#replacements.submit({ current, next }, timed);
  }

  /**
   * Some tombstones of Records that are due for their second purge, the longest due first.
   *
   * @param after the time when the former ones were due; undefined at first.
   */
  async dueForPurge(after: Date | undefined): Promise<Tombstone[]> {
    const purge_at = { $lte: new Date(), ...(after !== undefined && { $gt: after }) };
    const options = { sort: { purge_at: 1 }, limit: PURGED_TOGETHER, ...within(inBackground) } as const;
    return (await this.#heads.find({ purge_at }, options).toArray()) as Tombstone[];
  }

  /**
   * Marks a second purge as begun: unless `markPurged` follows, the next attempt comes after this pause, in milliseconds.
   *
   * @returns false when another replica has begun it since the tombstone was read.
   */
  async beginPurge({ workspace_id, _id, purge_at }: Tombstone, pauseMs: number): Promise<boolean> {
    const begun = { $set: { purge_at: new Date(Date.now() + pauseMs) }, $inc: { purge_attempts: 1 } };
    const { matchedCount } = await this.#heads.updateOne(
      { workspace_id, _id, purge_at },
      begun,
      within(inBackground),
    );
    return matchedCount === 1;
  }

  /** Marks the history of a deleted Record as purged for the last time. */
  async markPurged({ workspace_id, _id }: Tombstone): Promise<void> {
    const purged = { $unset: { purge_at: 1, purge_attempts: 1 } } as const;
    await this.#heads.updateOne({ workspace_id, _id }, purged, within(inBackground));
  }

  /**
   * The bytes of all kept revisions of a Collection's Records at the point in time of a snapshot, and the number of these revisions and
   * the tombstones, summed in parts that stay within the time limit of a command.
   */
  async sum(
    { workspaceId, collectionId }: OfCollection,
    snapshot: Snapshot,
    timed: Timed,
    atOnce = SUMMED_AT_ONCE,
  ): Promise<{ bytes: number; revisions: number }> {
    const stored = { workspace_id: workspaceId, collection_id: collectionId, state: { $in: STORED_STATES } };
    const revisions = { $cond: [{ $eq: ['$state', 'deleted'] }, 1, '$version'] };
    const sum = {
      ...{ _id: null, last: { $max: '$_id' } },
      ...{ bytes: { $sum: '$stored_bytes' }, revisions: { $sum: revisions } },
    };
    const total = { bytes: 0, revisions: 0 };
    for (let after = ''; ; ) {
      const part = await this.#heads
        .aggregate<{ bytes: number; revisions: number; last: string }>(
          [
            { $match: { ...stored, _id: { $gt: after } } },
            { $sort: { _id: 1 } },
            { $limit: atOnce },
            { $group: sum },
          ],
          { ...snapshot, ...within(timed) },
        )
        .next();
      if (part === null) return total;
      total.bytes += part.bytes;
      total.revisions += part.revisions;
      after = part.last;
    }
  }

  /** Finds heads by their ids alone, so that the database needs no choice of an index. */
  #among({ workspaceId }: OfCollection, ids: readonly string[], timed: Timed): FindCursor<StoredHead> {
    return this.#heads.find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(timed));
  }

  async #replaceAll(items: readonly Replacement[], timed: Timed): Promise<boolean[]> {
    const { namespace, db } = this.#heads;
    const models = items.map(({ current, next }): ClientBulkWriteModel<Record<string, StoredHead>> => {
      const { _id, workspace_id, state, version, write_id, fence = null, commit } = current;
      // An archive and a restore leave state, version and write as they were.
      const sequence = commit?.sequence ?? null;
      const filter = { workspace_id, _id, state, version, write_id, fence, 'commit.sequence': sequence };
      return { name: 'replaceOne', namespace, filter, replacement: next };
    });
    const { updateResults } = await db.client.bulkWrite<Record<string, StoredHead>>(models, {
      ordered: false,
      verboseResults: true,
      ...within(timed),
    });
    return items.map((_, index) => updateResults!.get(index)!.matchedCount === 1);
  }
}

function bytesOf(heads: readonly Head[]): number {
  return heads.reduce((bytes, head) => bytes + head.bytes, 0);
}

function isKeptIn({ collectionId }: OfCollection): (head: StoredHead) => head is Head {
  return (head): head is Head =>
    head.state !== 'void' && head.state !== 'deleted' && head.collection_id === collectionId;
}
