import { Batcher } from '@action-platform/batching';
import { insertEach } from '@action-platform/mongo';
import { type Attempt, sendInTime } from '../attempts/attempt.ts';
import type { Documents } from '../database/documents.ts';
import type { RevisionDocument } from './revision-document.ts';

interface Copy extends Attempt {
  readonly revision: RevisionDocument;
}

interface KeyLookUp {
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
  readonly #revisions: Documents['revisions'];
  readonly #copies = new Batcher(
    'revisions.keep',
    { ...COPIED_AT_ONCE, bytesOf: ({ revision }: Copy) => revision.bytes },
    (items: readonly Copy[]) => sendInTime(items, (inTime) => this.#copyAll(inTime)),
  );
  readonly #keyLookUps = new Batcher(
    'revisions.find',
    { maxItems: FOUND_AT_ONCE },
    (items: readonly KeyLookUp[]) => this.#findAllByKey(items),
  );

  constructor({ revisions }: Documents) {
    this.#revisions = revisions;
  }

  /**
   * Keeps the current revision of a Record, before another takes its place. That it is kept already, or that the
   * Record is not changed in the end, does no harm: a revision never changes.
   */
  async keep(revision: RevisionDocument, { sendBefore }: Attempt): Promise<void> {
    await this.#copies.submit({ revision, sendBefore });
  }

  /** A past revision of a Record by its version. */
  async find(workspaceId: string, recordId: string, version: number): Promise<RevisionDocument | null> {
    return await this.#revisions.findOne({ workspace_id: workspaceId, record_id: recordId, version });
  }

  /** The past revision of a Record that was made with an idempotency key. */
  findByKey(lookUp: KeyLookUp): Promise<RevisionDocument | undefined> {
    return this.#keyLookUps.submit(lookUp);
  }

  /** The past revisions of a Record with versions between two others, in their order, read as they are consumed. */
  between(
    workspaceId: string,
    recordId: string,
    after: number,
    before: number,
  ): AsyncIterable<RevisionDocument> {
    return this.#revisions.find(
      { workspace_id: workspaceId, record_id: recordId, version: { $gt: after, $lt: before } },
      { sort: { version: 1 }, batchSize: READ_AT_ONCE },
    );
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

  async #findAllByKey(lookUps: readonly KeyLookUp[]): Promise<{ value: RevisionDocument | undefined }[]> {
    const found = await this.#revisions
      .find({
        workspace_id: { $in: [...new Set(lookUps.map(({ workspaceId }) => workspaceId))] },
        record_id: { $in: [...new Set(lookUps.map(({ recordId }) => recordId))] },
        key: { $in: [...new Set(lookUps.map(({ key }) => key))] },
      })
      .toArray();
    return lookUps.map(({ workspaceId, recordId, key }) => ({
      value: found.find(
        (revision) =>
          revision.workspace_id === workspaceId && revision.record_id === recordId && revision.key === key,
      ),
    }));
  }
}
