import { Batcher } from '@action-platform/batching';
import { ActionError } from '@action-platform/contracts';
import { insertEach } from '@action-platform/mongo';
import type { ClientBulkWriteModel } from 'mongodb';
import { type Attempt, sendInTime } from '../attempts/attempt.ts';
import type { Documents } from '../database/documents.ts';
import type { Head, LiveHead, RecordReference } from './head.ts';

interface Insertion extends Attempt {
  readonly head: LiveHead;
}

interface Replacement extends Attempt {
  readonly current: Head;
  readonly next: Head;
}

/** As many as the server sends in answer to one request, whatever their size. */
const FOUND_AT_ONCE = 100;
const WRITTEN_AT_ONCE = { maxItems: 500, maxBytes: 8 * 1024 * 1024 };

/** The heads of all Records. Concurrent look-ups, insertions and replacements each go to the database together. */
export class Heads {
  readonly #documents: Documents;
  readonly #lookUps = new Batcher(
    'records.find',
    { maxItems: FOUND_AT_ONCE },
    (items: readonly RecordReference[]) => this.#findAll(items),
  );
  readonly #insertions = new Batcher(
    'records.insert',
    { ...WRITTEN_AT_ONCE, bytesOf: ({ head }: Insertion) => head.bytes },
    (items: readonly Insertion[]) => sendInTime(items, (inTime) => this.#insertAll(inTime)),
  );
  readonly #replacements = new Batcher(
    'records.replace',
    { ...WRITTEN_AT_ONCE, bytesOf: ({ next }: Replacement) => (next.state === 'deleted' ? 0 : next.bytes) },
    (items: readonly Replacement[]) => sendInTime(items, (inTime) => this.#replaceAll(inTime)),
  );

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** The head of a Record, or its tombstone. */
  async find(reference: RecordReference): Promise<Head | undefined> {
    const head = await this.#lookUps.submit(reference);
    return head?.collection_id === reference.collectionId ? head : undefined;
  }

  /** @throws ActionError `record_store_record_not_found` when there is no such Record, or no longer. */
  async get(reference: RecordReference): Promise<LiveHead> {
    const head = await this.find(reference);
    if (head === undefined || head.state === 'deleted')
      throw new ActionError('record_store_record_not_found');
    return head;
  }

  /** The head, or the tombstone, of the Record that was pushed with a key. */
  async findByPushKey(workspaceId: string, collectionId: string, key: string): Promise<Head | null> {
    return await this.#documents.records.findOne({
      workspace_id: workspaceId,
      collection_id: collectionId,
      push_key: key,
    });
  }

  /** Commits a push; false when its key is taken. */
  insert(head: LiveHead, { sendBefore }: Attempt): Promise<boolean> {
    return this.#insertions.submit({ head, sendBefore });
  }

  /** Commits a change of a Record; false when the Record is no longer as `current` has it. */
  replace(current: Head, next: Head, { sendBefore }: Attempt): Promise<boolean> {
    return this.#replacements.submit({ current, next, sendBefore });
  }

  async #findAll(references: readonly RecordReference[]): Promise<{ value: Head | undefined }[]> {
    const found = await this.#documents.records
      .find({
        workspace_id: { $in: [...new Set(references.map(({ workspaceId }) => workspaceId))] },
        _id: { $in: [...new Set(references.map(({ recordId }) => recordId))] },
      })
      .toArray();
    const heads = new Map(found.map((head) => [head._id, head]));
    return references.map(({ workspaceId, recordId }) => {
      const head = heads.get(recordId);
      return { value: head?.workspace_id === workspaceId ? head : undefined };
    });
  }

  #insertAll(items: readonly Insertion[]): Promise<boolean[]> {
    return insertEach(
      this.#documents.records,
      items.map(({ head }) => head),
    );
  }

  async #replaceAll(items: readonly Replacement[]): Promise<boolean[]> {
    const { client, records } = this.#documents;
    const models = items.map(({ current, next }): ClientBulkWriteModel<Record<string, Head>> => {
      const { _id, workspace_id, state, version, write_id } = current;
      const filter = { workspace_id, _id, state, version, write_id };
      return { name: 'replaceOne', namespace: records.namespace, filter, replacement: next };
    });
    const { updateResults } = await client.bulkWrite<Record<string, Head>>(models, {
      ordered: false,
      verboseResults: true,
    });
    return items.map((_, index) => updateResults!.get(index)!.matchedCount === 1);
  }
}
