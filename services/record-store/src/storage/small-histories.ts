import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { Batcher, type ItemOutcome, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { Head } from './stored-head.ts';
import { currentRevision, type StoredRevision } from './stored-revision.ts';

/** The most bytes of a small history, and of all small histories in one read: about the size of one message of the bus. */
const SMALL_BYTES = 256 * 1024;
/** The approximate size of a revision without its payload, in bytes. */
const BESIDE_PAYLOAD_BYTES = 200;
const READ_AT_ONCE = 100;

/** Reads histories that are too small to need streaming. A batcher combines concurrent reads into one query. */
export class SmallHistories {
  readonly #revisions: Collection<StoredRevision>;
  readonly #reads = new Batcher(
    'revisions.history',
    { maxItems: READ_AT_ONCE, maxBytes: SMALL_BYTES, bytesOf: historyBytes, effect: 'read' },
    async (heads: readonly Head[], timed) => {
      const past = await this.#pastOf(heads, timed);
      return heads.map((head) => wholeHistory(head, past.get(head._id) ?? []));
    },
  );

  constructor(revisions: Collection<StoredRevision>) {
    this.#revisions = revisions;
  }

  /**
   * All revisions of a Record up to its head, oldest first; undefined when they are too large to be held at once.
   *
   * @throws ActionError `record_store_record_not_found` when a revision is missing, because the Record was deleted meanwhile.
   */
  async read(head: Head, timed: Timed): Promise<StoredRevision[] | undefined> {
    if (historyBytes(head) > SMALL_BYTES) return undefined;
    return head.version === 1 ? [currentRevision(head)] : await this.#reads.submit(head, timed);
  }

  /** The past revisions of these Records, oldest first, by the Records' ids. */
  async #pastOf(heads: readonly Head[], timed: Timed): Promise<Map<string, StoredRevision[]>> {
    const found = this.#revisions.find(
      {
        workspace_id: { $in: [...new Set(heads.map(({ workspace_id }) => workspace_id))] },
        record_id: { $in: [...new Set(heads.map(({ _id }) => _id))] },
        version: { $lt: Math.max(...heads.map(({ version }) => version)) },
      },
      {
        sort: { workspace_id: 1, record_id: 1, version: 1 },
        batchSize: heads.reduce((revisions, { version }) => revisions + version, 1),
        ...within(timed),
      },
    );
    return Map.groupBy(await found.toArray(), ({ record_id }) => record_id);
  }
}

/** The approximate size of all revisions of a Record, in bytes. */
function historyBytes({ stored_bytes, version }: Head): number {
  return stored_bytes + version * BESIDE_PAYLOAD_BYTES;
}

/** The history up to a head. `found` may have later revisions, read for another request in the batch. */
function wholeHistory(head: Head, found: readonly StoredRevision[]): ItemOutcome<StoredRevision[]> {
  const past = found.slice(0, head.version - 1);
  const isWhole =
    past.length === head.version - 1 && past.every(({ version }, index) => version === index + 1);
  if (!isWhole) return { error: new ActionError('record_store_record_not_found') };
  return { value: [...past, currentRevision(head)] };
}
