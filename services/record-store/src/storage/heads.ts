import { Batcher, batchedLookup } from '@action-platform/batching';
import { ActionError, type RecordState } from '@action-platform/contracts';
import { insertEach } from '@action-platform/mongo';
import { type Page, readPage } from '@action-platform/paging';
import type { ClientBulkWriteModel, Collection } from 'mongodb';
import type { Snapshot } from './snapshot.ts';
import type { Head, RecordReference, StoredHead, Tombstone } from './stored-head.ts';
import { sendInTime, type TimedWrite } from './write-deadline.ts';

/** What to list of a Collection's Records. */
export interface RecordListing {
  workspaceId: string;
  collectionId: string;
  states: readonly RecordState[];
  /** The id after which the page starts. */
  after: string;
  limit: number;
  maxBytes: number;
}

interface Insertion extends TimedWrite {
  readonly head: Head;
}

interface Replacement extends TimedWrite {
  readonly current: Head;
  readonly next: Head | Tombstone;
}

/** As many as the server sends in answer to one request, whatever their size. */
const FOUND_AT_ONCE = 100;
const WRITTEN_AT_ONCE = { maxItems: 500, maxBytes: 8 * 1024 * 1024 };
/** A page of the usual length and the one behind it; few enough that a batch of the largest payloads takes little memory. */
const LISTED_AT_ONCE = 51;

/** The heads of all Records. Concurrent look-ups, insertions and replacements each go to the database together. */
export class Heads {
  readonly #heads: Collection<StoredHead>;
  readonly #insertions = new Batcher(
    'records.insert',
    { ...WRITTEN_AT_ONCE, bytesOf: ({ head }: Insertion) => head.bytes },
    (items: readonly Insertion[]) =>
      sendInTime(items, (inTime) =>
        insertEach(
          this.#heads,
          inTime.map(({ head }) => head),
        ),
      ),
  );
  readonly #replacements = new Batcher(
    'records.replace',
    { ...WRITTEN_AT_ONCE, bytesOf: ({ next }: Replacement) => (next.state === 'deleted' ? 0 : next.bytes) },
    (items: readonly Replacement[]) => sendInTime(items, (inTime) => this.#replaceAll(inTime)),
  );
  readonly #lookUp = batchedLookup(
    'records.find',
    {
      asked: ({ workspaceId, recordId }: RecordReference) => `${workspaceId} ${recordId}`,
      found: ({ workspace_id, _id }: StoredHead) => `${workspace_id} ${_id}`,
    },
    (references) =>
      this.#heads
        .find({
          workspace_id: { $in: [...new Set(references.map(({ workspaceId }) => workspaceId))] },
          _id: { $in: references.map(({ recordId }) => recordId) },
        })
        .toArray(),
    { maxKeys: FOUND_AT_ONCE },
  );

  constructor(heads: Collection<StoredHead>) {
    this.#heads = heads;
  }

  /** The head of a Record, or its tombstone. */
  async find(reference: RecordReference): Promise<Head | Tombstone | undefined> {
    const head = await this.#lookUp(reference);
    if (head === undefined || head.state === 'void') return undefined;
    return head.collection_id === reference.collectionId ? head : undefined;
  }

  /** @throws ActionError `record_store_record_not_found` when there is no such Record, or no longer. */
  async get(reference: RecordReference): Promise<Head> {
    const head = await this.find(reference);
    if (head === undefined || head.state === 'deleted')
      throw new ActionError('record_store_record_not_found');
    return head;
  }

  /** The head, or the tombstone, of the Record that was pushed with a key. */
  async findByPushKey(
    workspaceId: string,
    collectionId: string,
    key: string,
  ): Promise<Head | Tombstone | null> {
    const filter = { workspace_id: workspaceId, collection_id: collectionId, push_idempotency_key: key };
    return (await this.#heads.findOne(filter)) as Head | Tombstone | null;
  }

  /**
   * A page of the Records of a Collection, in the order of their ids. Ids never change, and a page is read at one
   * point in time, so a Record that changes its state meanwhile is neither skipped nor repeated.
   */
  async list({
    workspaceId,
    collectionId,
    states,
    after,
    limit,
    maxBytes,
  }: RecordListing): Promise<Page<Head>> {
    const found = this.#heads.find(
      {
        workspace_id: workspaceId,
        collection_id: collectionId,
        state: { $in: [...states] },
        _id: { $gt: after },
      },
      { sort: { _id: 1 }, limit: limit + 1, batchSize: LISTED_AT_ONCE, readConcern: { level: 'snapshot' } },
    );
    return await readPage(found as AsyncIterable<Head>, { limit, maxBytes, bytesOf: ({ bytes }) => bytes });
  }

  /** The insertion that commits a push, for who makes it in a command of their own. */
  insertion(head: Head) {
    return { name: 'insertOne', namespace: this.#heads.namespace, document: head } as const;
  }

  /** Commits a push; false when its key is taken, or its id because recovery has aborted it. */
  insert(head: Head, { deadline }: TimedWrite): Promise<boolean> {
    return this.#insertions.submit({ head, deadline });
  }

  /** Commits a change of a Record; false when the head is no longer `current`, or recovery has fenced it off. */
  replace(current: Head, next: Head | Tombstone, { deadline }: TimedWrite): Promise<boolean> {
    return this.#replacements.submit({ current, next, deadline });
  }

  /** The tombstones of Records whose history is to be looked for once more, the longest due first. */
  dueForPurge(): AsyncIterable<Tombstone> {
    const due = this.#heads.find({ purge_at: { $lte: new Date() } }, { sort: { purge_at: 1 } });
    return due as AsyncIterable<Tombstone>;
  }

  /** Says that nothing is left of the history of a deleted Record. */
  async markPurged({ workspace_id, _id }: Tombstone): Promise<void> {
    await this.#heads.updateOne({ workspace_id, _id }, { $unset: { purge_at: 1 } });
  }

  /** The bytes of all kept revisions of a Workspace at the point in time of a snapshot. */
  async storedBytes(workspaceId: string, snapshot: Snapshot): Promise<number> {
    const sum = this.#heads.aggregate<{ bytes: number }>(
      [
        { $match: { workspace_id: workspaceId } },
        { $group: { _id: null, bytes: { $sum: '$stored_bytes' } } },
      ],
      snapshot,
    );
    return (await sum.next())?.bytes ?? 0;
  }

  async #replaceAll(items: readonly Replacement[]): Promise<boolean[]> {
    const { namespace, db } = this.#heads;
    const models = items.map(({ current, next }): ClientBulkWriteModel<Record<string, StoredHead>> => {
      const { _id, workspace_id, state, version, write_id, fence = null } = current;
      const filter = { workspace_id, _id, state, version, write_id, fence };
      return { name: 'replaceOne', namespace, filter, replacement: next };
    });
    const { updateResults } = await db.client.bulkWrite<Record<string, StoredHead>>(models, {
      ordered: false,
      verboseResults: true,
    });
    return items.map((_, index) => updateResults!.get(index)!.matchedCount === 1);
  }
}
