import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { Batcher, batchedLookup, insertEach, within } from '@action-platform/mongo';
import type { Collection, FindCursor } from 'mongodb';
import { SmallHistories } from './small-histories.ts';
import type { Head, Tombstone } from './stored-head.ts';
import { currentRevision, type StoredRevision } from './stored-revision.ts';

interface KeyedRevision {
  readonly workspaceId: string;
  readonly recordId: string;
  readonly key: string;
}

type Size = Pick<StoredRevision, 'version' | 'bytes'>;
/** A revision without its payload. */
type RevisionHead = Omit<StoredRevision, 'payload'>;

const COPIED_AT_ONCE = { maxItems: 500, maxBytes: 8 * 1024 * 1024 };
const FOUND_AT_ONCE = 100;
/** The most bytes of payloads in one read of a history; a larger payload is read alone. */
const READ_AT_ONCE_BYTES = 512 * 1024;
/** The number of revisions whose sizes are read at once. */
const SIZED_AT_ONCE = 100;
/** The number of revisions that a command removes: few enough that a command takes a fraction of its time limit. */
const REMOVED_AT_ONCE = 1_000;

/** The past revisions of all Records. Batchers combine concurrent copies and key look-ups into one command of each kind. */
export class Revisions {
  readonly #revisions: Collection<StoredRevision>;
  readonly #smallHistories: SmallHistories;
  readonly #copies = new Batcher(
    'revisions.keep',
    { ...COPIED_AT_ONCE, bytesOf: ({ bytes }: StoredRevision) => bytes },
    (copies: readonly StoredRevision[], timed) => this.#copyAll(copies, timed),
  );

  /**
   * The past revision of a Record that was made with an idempotency key. Its query finds each asked Record with each asked key, so the
   * payloads are left out.
   */
  readonly findByKey = batchedLookup(
    'revisions.find',
    {
      asked: ({ workspaceId, recordId, key }: KeyedRevision) => `${workspaceId} ${recordId} ${key}`,
      found: ({ workspace_id, record_id, idempotency_key }: RevisionHead) =>
        `${workspace_id} ${record_id} ${idempotency_key}`,
    },
    (asked, timed) => {
      const filter = {
        workspace_id: { $in: [...new Set(asked.map(({ workspaceId }) => workspaceId))] },
        record_id: { $in: [...new Set(asked.map(({ recordId }) => recordId))] },
        idempotency_key: { $in: [...new Set(asked.map(({ key }) => key))] },
      };
      const projection = { payload: 0 } as const;
      return this.#revisions.find<RevisionHead>(filter, { projection, ...within(timed) }).toArray();
    },
    { maxKeys: FOUND_AT_ONCE },
  );

  constructor(revisions: Collection<StoredRevision>) {
    this.#revisions = revisions;
    this.#smallHistories = new SmallHistories(revisions);
  }

  /**
   * Copies the current revision of a Record into the history, before another replaces it. An existing or unneeded copy
   * does no harm, because a revision never changes.
   */
  async keepCurrent(head: Head, timed: Timed): Promise<void> {
    await this.#copies.submit(currentRevision(head), timed);
  }

  /** A past revision of a Record; null when the Record was deleted meanwhile. */
  async find({ workspace_id, _id }: Head, version: number, timed: Timed): Promise<StoredRevision | null> {
    return await this.#revisions.findOne({ workspace_id, record_id: _id, version }, within(timed));
  }

  /**
   * All revisions of a Record after a version up to its head, oldest first: an array when they are few and small, otherwise
   * read as they are consumed.
   *
   * @throws ActionError as `history` does, at once or while they are consumed.
   */
  async all(
    head: Head,
    after: number,
    timed: Timed,
  ): Promise<StoredRevision[] | AsyncIterable<StoredRevision>> {
    const small = await this.#smallHistories.read(head, timed);
    return small?.slice(after) ?? this.history(head, after, timed);
  }

  /**
   * The revisions of a Record up to its head, oldest first, read as they are consumed.
   *
   * MongoDB limits a read by documents, not by bytes. So `history` reads the sizes first, and then as many revisions as memory allows. No
   * cursor stays open between two reads: a consumer may stop at any revision, and each read has a time limit of its own.
   *
   * @param after the version after which to start; 0 for all of them.
   * @throws ActionError `record_store_record_not_found` when a revision is missing, because the Record was deleted meanwhile.
   */
  async *history(head: Head, after: number, timed: Timed): AsyncGenerator<StoredRevision, void, undefined> {
    let version = after;
    while (version < head.version - 1) {
      for (const last of readsOf(await this.#sizes(head, version, timed))) {
        for (const revision of await this.#past(head, version, last, timed).toArray()) {
          version++;
          if (revision.version !== version) throw new ActionError('record_store_record_not_found');
          yield revision;
        }
        if (version !== last) throw new ActionError('record_store_record_not_found');
      }
    }
    yield currentRevision(head);
  }

  /**
   * Removes the history of a deleted Record, the oldest revisions first.
   *
   * @param mayGoOn whether it may remove a further part.
   */
  async removeAll(
    { workspace_id, _id: record_id, version }: Tombstone,
    mayGoOn: () => boolean,
  ): Promise<void> {
    for (let last = 0; last < version && mayGoOn(); ) {
      last += REMOVED_AT_ONCE;
      const part = { workspace_id, record_id, version: { $lte: last } };
      await this.#revisions.deleteMany(part, within(inBackground));
    }
  }

  /** The sizes of the next revisions after a version. */
  async #sizes(head: Head, after: number, timed: Timed): Promise<Size[]> {
    const sizes = await this.#past(head, after, head.version - 1, timed)
      .limit(SIZED_AT_ONCE)
      .project<Size>({ _id: 0, version: 1, bytes: 1 })
      .toArray();
    if (sizes.length === 0) throw new ActionError('record_store_record_not_found');
    return sizes;
  }

  /** Finds the revisions after a version, up to the last one, in one batch of the cursor. */
  #past({ workspace_id, _id }: Head, after: number, last: number, timed: Timed): FindCursor<StoredRevision> {
    const filter = { workspace_id, record_id: _id, version: { $gt: after, $lte: last } };
    const options = { sort: { version: 1 }, batchSize: SIZED_AT_ONCE + 1, ...within(timed) } as const;
    return this.#revisions.find(filter, options);
  }

  async #copyAll(copies: readonly StoredRevision[], timed: Timed): Promise<{ value: undefined }[]> {
    // Concurrent writers of the same Record copy the same revision.
    const distinct = new Map(copies.map((copy) => [`${copy.record_id} ${copy.version}`, copy]));
    await insertEach(this.#revisions, [...distinct.values()], timed);
    return copies.map(() => ({ value: undefined }));
  }
}

/** Divides revisions of these sizes into reads; returns the last version of each. */
function readsOf(sizes: readonly Size[]): number[] {
  const last: number[] = [];
  let bytes = 0;
  for (const [index, size] of sizes.entries()) {
    bytes += size.bytes;
    const following = sizes[index + 1];
    if (following !== undefined && bytes + following.bytes <= READ_AT_ONCE_BYTES) continue;
    last.push(size.version);
    bytes = 0;
  }
  return last;
}
