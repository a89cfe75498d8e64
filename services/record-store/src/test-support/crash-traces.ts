import type { TestPlatform } from '@action-platform/testing';
import type { Documents } from '../database/documents.ts';
import { openDocuments } from '../database/open-documents.ts';
import type { BookedChange } from '../quota/usage-document.ts';
import type { LiveHead } from '../records/head.ts';
import { buried } from '../records/transitions.ts';
import { currentRevision } from '../records/views.ts';
import { recordStore } from '../service.ts';
import type { TestWorkspace } from './test-workspace.ts';

const LONG_AGO = new Date(Date.now() - 3_600_000);

/** Puts into the database what a replica leaves that crashes between two of its writes. */
export class CrashTraces {
  readonly #platform: TestPlatform;
  readonly documents: Documents;

  private constructor(platform: TestPlatform, documents: Documents) {
    this.#platform = platform;
    this.documents = documents;
  }

  static async open(platform: TestPlatform): Promise<CrashTraces> {
    return new CrashTraces(platform, await openDocuments(await platform.database('record-store')));
  }

  async head(id: string): Promise<LiveHead> {
    return (await this.documents.records.findOne({ _id: id })) as LiveHead;
  }

  /** Books a change, as if a moment ago; a new revision's bytes are counted unless they are already. */
  async book(workspace: TestWorkspace, change: BookedChange, isCounted = false): Promise<void> {
    const now = new Date();
    const bytes = change.kind === 'revision' && !isCounted ? change.bytes : 0;
    await this.documents.usage.updateOne(
      { _id: workspace.owner.workspaceId },
      {
        $push: { pending: { ...change, at: now } },
        $inc: { stored_bytes: bytes },
        $set: { pending_since: now },
      },
      { upsert: true },
    );
  }

  /** Makes it look as if whoever wrote the current revision of a Record had crashed before entering the outcome. */
  async unsettle(workspace: TestWorkspace, id: string): Promise<void> {
    const { version, write_id, bytes } = await this.head(id);
    const entered = { _id: workspace.owner.workspaceId, 'pending.write_id': { $ne: write_id } };
    while ((await this.documents.usage.findOne(entered)) === null);
    await this.book(workspace, { kind: 'revision', write_id, record_id: id, version, bytes }, true);
  }

  async copyCurrentRevision(id: string): Promise<void> {
    await this.documents.revisions.insertOne(currentRevision(await this.head(id)));
  }

  async bury(id: string, deletionId: string): Promise<void> {
    await this.documents.records.replaceOne(
      { _id: id },
      buried(await this.head(id), deletionId, 'user-owner'),
    );
  }

  /** Lets so much time pass for what is in the database that every attempt is over, and a new replica find it. */
  async repairLater(): Promise<void> {
    await this.age();
    await this.repair();
  }

  /** Makes what is in the database look as if every attempt were over. */
  async age(): Promise<void> {
    const aged = { $map: { input: '$pending', in: { $mergeObjects: ['$$this', { at: LONG_AGO }] } } };
    await this.documents.usage.updateMany({ 'pending.0': { $exists: true } }, [
      { $set: { pending: aged, pending_since: LONG_AGO } },
    ]);
    await this.documents.records.updateMany(
      { purge_at: { $exists: true } },
      { $set: { purge_at: LONG_AGO } },
    );
  }

  /** Runs a repair pass: a replica begins with one, and stops when it is done. */
  async repair(): Promise<void> {
    const replica = await this.#platform.startService(recordStore);
    await replica.stop();
  }
}
