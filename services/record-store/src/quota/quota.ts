import { ActionError } from '@action-platform/contracts';
import type { Logger } from '@action-platform/service-host';
import { ATTEMPT_OVER_AFTER_MS } from '../attempts/attempt.ts';
import type { Documents } from '../database/documents.ts';
import { Booking } from './booking.ts';
import { decidedChanges } from './decided-changes.ts';
import type { BookedChange, Settlement } from './usage-document.ts';
import { usageNow } from './usage-now.ts';
import { WorkspaceUsage } from './workspace-usage.ts';

/** What the quota works with. */
export interface QuotaOptions {
  documents: Documents;
  /** The quota of a Workspace for which none was set, in bytes. */
  defaultQuota: number;
  log: Logger;
}

/**
 * Keeps every Workspace within its quota. Bytes are booked before the write that stores them, and given back when it
 * turns out not to; what a crash leaves booked is found and settled.
 */
export class Quota {
  readonly #options: QuotaOptions;
  readonly #workspaces = new Map<string, WorkspaceUsage>();
  readonly #repairs = new Map<string, Promise<void>>();

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /** Books a change; its `booked` rejects with ActionError `record_store_quota_exceeded` when there is no room. */
  book(workspaceId: string, change: BookedChange): Booking {
    return new Booking(change, this.#book(workspaceId, change), (settlement) =>
      this.#workspace(workspaceId).settle(change.write_id, settlement),
    );
  }

  /** Settles what was booked for a Record that is deleted now. Its history must stay until then. */
  async settleDeleted(workspaceId: string, recordId: string): Promise<void> {
    await this.#settle(workspaceId, await decidedChanges(this.#options.documents, workspaceId, recordId));
  }

  /** Sets the quota of a Workspace, in bytes. What is stored already stays, even if it is more. */
  async set(workspaceId: string, bytes: number): Promise<void> {
    await this.#options.documents.usage.updateOne(
      { _id: workspaceId },
      { $set: { quota_bytes: bytes }, $setOnInsert: { stored_bytes: 0, pending: [] } },
      { upsert: true },
    );
  }

  /** The quota of a Workspace and what it stores, in bytes. */
  async show(workspaceId: string): Promise<{ quota: number; stored_bytes: number }> {
    const { quotaBytes, storedBytes } = await usageNow(this.#options.documents, workspaceId);
    return { quota: quotaBytes ?? this.#options.defaultQuota, stored_bytes: storedBytes };
  }

  /** Settles, in all Workspaces, what was left by attempts that are over. */
  async repair(): Promise<void> {
    const overSince = new Date(Date.now() - ATTEMPT_OVER_AFTER_MS);
    const left = this.#options.documents.usage.find(
      { pending_since: { $lte: overSince } },
      { projection: { _id: 1 }, sort: { pending_since: 1 } },
    );
    for await (const { _id } of left) await this.#repairWorkspace(_id);
  }

  /** Enters all outcomes that are known; what cannot be entered is left to the repair. */
  async flush(): Promise<void> {
    const flushed = await Promise.allSettled(
      [...this.#workspaces.values()].map((workspace) => workspace.flush()),
    );
    for (const result of flushed) if (result.status === 'rejected') this.#warn(result.reason);
  }

  async #book(workspaceId: string, change: BookedChange): Promise<void> {
    const { isBooked, quotaBytes } = await this.#workspace(workspaceId).book(change);
    if (isBooked) return;
    // What was in the way may turn out not to be stored.
    await this.#repairWorkspace(workspaceId);
    if ((await this.#workspace(workspaceId).book(change)).isBooked) return;
    throw new ActionError('record_store_quota_exceeded', {
      message: `The quota of the Workspace is ${quotaBytes} bytes, and there is no room left for ${change.bytes} more.`,
    });
  }

  /** Settles what can be settled in a Workspace. Concurrent callers share one run. */
  #repairWorkspace(workspaceId: string): Promise<void> {
    const underWay = this.#repairs.get(workspaceId);
    if (underWay !== undefined) return underWay;
    const repair = decidedChanges(this.#options.documents, workspaceId)
      .then((decided) => this.#settle(workspaceId, decided))
      .finally(() => this.#repairs.delete(workspaceId));
    this.#repairs.set(workspaceId, repair);
    return repair;
  }

  async #settle(workspaceId: string, settlements: ReadonlyMap<string, Settlement>): Promise<void> {
    if (settlements.size === 0) return;
    const workspace = this.#workspace(workspaceId);
    for (const [writeId, settlement] of settlements) workspace.settle(writeId, settlement);
    await workspace.flush();
  }

  #workspace(workspaceId: string): WorkspaceUsage {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    const workspace = new WorkspaceUsage({
      usage: this.#options.documents.usage,
      workspaceId,
      defaultQuota: this.#options.defaultQuota,
      onIdle: () => this.#workspaces.delete(workspaceId),
      onError: (error) => this.#warn(error),
    });
    this.#workspaces.set(workspaceId, workspace);
    return workspace;
  }

  #warn(error: unknown): void {
    this.#options.log.warn(
      { err: error },
      'the outcome of writes could not be entered in the usage of a Workspace',
    );
  }
}
