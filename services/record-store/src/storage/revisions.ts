import { Batcher, batchedLookup } from '@action-platform/batching';
import { ActionError } from '@action-platform/contracts';
import { insertEach } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { Head } from './stored-head.ts';
import { currentRevision, type StoredRevision } from './stored-revision.ts';
import { sendInTime, type TimedWrite } from './write-deadline.ts';

interface Copy extends TimedWrite {
  readonly revision: StoredRevision;
}

interface KeyedRevision {
  readonly workspaceId: string;
  readonly recordId: string;
  readonly key: string;
}

const COPIED_AT_ONCE = { maxItems: 500, maxBytes: 8 * 1024 * 1024 };
const FOUND_AT_ONCE = 100;
/** Few enough that a batch of the largest payloads takes little memory. */
const READ_AT_ONCE = 32;

/** The past revisions of all Records. Concurrent copies and key look-ups each go to the database together. */
export class Revisions {
  readonly #revisions: Collection<StoredRevision>;
  readonly #copies = new Batcher(
    'revisions.keep',
    { ...COPIED_AT_ONCE, bytesOf: ({ revision }: Copy) => revision.bytes },
    (items: readonly Copy[]) => sendInTime(items, (inTime) => this.#copyAll(inTime)),
  );

  /** The past revision of a Record that was made with an idempotency key. */
  readonly findByKey = batchedLookup(
    'revisions.find',
    {
      asked: ({ workspaceId, recordId, key }: KeyedRevision) => `${workspaceId} ${recordId} ${key}`,
      found: ({ workspace_id, record_id, idempotency_key }: StoredRevision) =>
        `${workspace_id} ${record_id} ${idempotency_key}`,
    },
    (asked) =>
      this.#revisions
        .find({
          workspace_id: { $in: [...new Set(asked.map(({ workspaceId }) => workspaceId))] },
          record_id: { $in: [...new Set(asked.map(({ recordId }) => recordId))] },
          idempotency_key: { $in: [...new Set(asked.map(({ key }) => key))] },
        })
        .toArray(),
    { maxKeys: FOUND_AT_ONCE },
  );

  constructor(revisions: Collection<StoredRevision>) {
    this.#revisions = revisions;
  }

  /**
   * Keeps the current revision of a Record, before another takes its place. That it is kept already, or that the
   * Record is not changed in the end, does no harm: a revision never changes.
   */
  async keepCurrent(head: Head, { deadline }: TimedWrite): Promise<void> {
    await this.#copies.submit({ revision: currentRevision(head), deadline });
  }

  /** The first revision of a Record that has others by now. */
  async findFirst({ workspace_id, _id }: Head): Promise<StoredRevision | null> {
    return await this.#revisions.findOne({ workspace_id, record_id: _id, version: 1 });
  }

  /**
   * The revisions of a Record up to its head, oldest first, read as they are consumed.
   *
   * @param after the version after which to start; 0 for all of them.
   * @throws ActionError `record_store_record_not_found` when one is missing, because the Record was deleted meanwhile.
   */
  async *history(head: Head, after: number): AsyncGenerator<StoredRevision, void, undefined> {
    const past = this.#revisions.find(
      { workspace_id: head.workspace_id, record_id: head._id, version: { $gt: after, $lt: head.version } },
      { sort: { version: 1 }, batchSize: READ_AT_ONCE },
    );
    let version = after;
    for await (const revision of past) {
      version++;
      if (revision.version !== version) throw new ActionError('record_store_record_not_found');
      yield revision;
    }
    if (version !== head.version - 1) throw new ActionError('record_store_record_not_found');
    yield currentRevision(head);
  }

  /** Removes the whole history of a Record. */
  async removeAll(workspaceId: string, recordId: string): Promise<void> {
    await this.#revisions.deleteMany({ workspace_id: workspaceId, record_id: recordId });
  }

  async #copyAll(items: readonly Copy[]): Promise<undefined[]> {
    // Rivals for the same Record bring the same revision.
    const distinct = new Map(
      items.map(({ revision }) => [`${revision.record_id} ${revision.version}`, revision]),
    );
    await insertEach(this.#revisions, [...distinct.values()]);
    return items.map(() => undefined);
  }
}
