import { setTimeout as pause } from 'node:timers/promises';
import { ActionError } from '@action-platform/contracts';
import { isDuplicateKey } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import { atOneTime, type Snapshot } from '../storage/snapshot.ts';
import { requireTimeLeft } from '../storage/write-deadline.ts';
import { Reservation } from './reservation.ts';
import {
  type ChangeOutcome,
  type Decision,
  type ReservedChange,
  releasesBytes,
  type StoredReservation,
  type StoredUsage,
} from './stored-usage.ts';
import { WorkspaceUsage } from './workspace-usage.ts';

/** Who can tell what became of reserved changes. The quota itself knows nothing of what takes the room. */
export interface ChangeOutcomes {
  /** The outcomes by write id, with a snapshot those of its point in time. */
  find(
    workspaceId: string,
    changes: readonly ReservedChange[],
    snapshot?: Snapshot,
  ): Promise<Map<string, ChangeOutcome>>;
  /** The same, after making impossible what was in doubt and has not been made. */
  decide(workspaceId: string, changes: readonly ReservedChange[]): Promise<Map<string, ChangeOutcome>>;
}

/** What the quota works with. */
export interface QuotaOptions {
  usage: Collection<StoredUsage>;
  outcomes: ChangeOutcomes;
  /** The quota of a Workspace for which none was set, in bytes. */
  defaultQuota: number;
  log: Logger;
}

/** The usage of a Workspace at one point in time. */
export interface Usage {
  /** The quota in force, in bytes. */
  quotaBytes: number;
  /** What is stored, in bytes; what is reserved and was not made by then is left out. */
  storedBytes: number;
  /** How often a recount has mended it; undefined for never. */
  mended: number | undefined;
}

/**
 * How old a reservation in doubt must be before somebody who needs the room has it decided, in milliseconds. Only a
 * matter of politeness: its writer, if alive, has to begin anew. So two who are short of room do not hinder each other.
 */
const GRACE_MS = 2_000;
/** How long to wait before looking again whether what is in the way has been decided, in milliseconds. */
const LOOK_AGAIN_AFTER_MS = 25;

/**
 * Keeps every Workspace within its quota. Bytes are reserved before the write that stores them, and released when it
 * turns out not to; what a crash leaves in doubt is decided by recovery, through `outcomes`.
 */
export class Quota {
  readonly #options: QuotaOptions;
  readonly #workspaces = new Map<string, WorkspaceUsage>();
  readonly #settling = new Map<string, Promise<boolean>>();

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /**
   * Reserves a change. Nobody is refused because of what is in doubt: that is settled first.
   *
   * @throws ActionError `record_store_quota_exceeded` when what is stored beyond doubt leaves no room for it;
   *   `action_platform_unavailable` when that could not be told before the deadline.
   */
  async reserve(workspaceId: string, change: ReservedChange, deadline: number): Promise<Reservation> {
    for (;;) {
      requireTimeLeft(deadline);
      const { isReserved, quotaBytes, certainBytes } = await this.#workspace(workspaceId).reserve(change);
      if (isReserved) {
        return new Reservation((decision) => this.#workspace(workspaceId).settle(change, decision));
      }
      if (certainBytes + change.bytes > quotaBytes) {
        throw new ActionError('record_store_quota_exceeded', {
          message: `The quota of the Workspace is ${quotaBytes} bytes, and there is no room left for ${change.bytes} more.`,
        });
      }
      const isSettled = await this.settleInDoubt(workspaceId, GRACE_MS);
      if (!isSettled) await pause(LOOK_AGAIN_AFTER_MS);
    }
  }

  /**
   * Settles the reservations of a Workspace that can be decided, whoever made them, and decides those in doubt that
   * are older than `graceMs` milliseconds. Concurrent callers share one run.
   *
   * @returns whether there were any.
   */
  settleInDoubt(workspaceId: string, graceMs: number): Promise<boolean> {
    const underWay = this.#settling.get(workspaceId);
    if (underWay !== undefined) return underWay;
    const settling = this.#settleInDoubt(workspaceId, graceMs).finally(() =>
      this.#settling.delete(workspaceId),
    );
    this.#settling.set(workspaceId, settling);
    return settling;
  }

  /** Settles what was reserved for a Record that is deleted now. Its history must stay until then. */
  async settleDeleted(workspaceId: string, recordId: string): Promise<void> {
    const { reservations } = await this.#reservations(workspaceId);
    const ofRecord = reservations.filter(({ record_id }) => record_id === recordId);
    await this.#settle(workspaceId, ofRecord, await this.#options.outcomes.find(workspaceId, ofRecord));
  }

  /** The Workspaces that have reservations older than so many milliseconds, the oldest first. */
  async *withReservationsOlderThan(milliseconds: number): AsyncGenerator<string, void, undefined> {
    const found = this.#options.usage.find(
      { reserved_since: { $lte: new Date(Date.now() - milliseconds) } },
      { projection: { _id: 1 }, sort: { reserved_since: 1 } },
    );
    for await (const { _id } of found) yield _id;
  }

  /** Sets the quota of a Workspace, in bytes. What is stored already stays, even if it is more. */
  async set(workspaceId: string, bytes: number): Promise<void> {
    await this.#options.usage.updateOne(
      { _id: workspaceId },
      { $set: { quota_bytes: bytes }, $setOnInsert: { stored_bytes: 0, reservations: [] } },
      { upsert: true },
    );
  }

  /** The usage of a Workspace now, or at the point in time of a snapshot: right whatever is under way. */
  async show(workspaceId: string, snapshot?: Snapshot): Promise<Usage> {
    const { usage, outcomes, defaultQuota } = this.#options;
    if (snapshot === undefined) return await atOneTime(usage.db.client, (now) => this.show(workspaceId, now));
    const found = await usage.findOne({ _id: workspaceId }, snapshot);
    if (found === null) return { quotaBytes: defaultQuota, storedBytes: 0, mended: undefined };
    const { reservations, stored_bytes, quota_bytes: quotaBytes = defaultQuota, mended } = found;
    const made = await outcomes.find(workspaceId, reservations, snapshot);
    const released = reservations.filter((change) =>
      releasesBytes(change, made.get(change.write_id) === 'committed' ? 'committed' : 'aborted'),
    );
    const storedBytes = released.reduce((stored, { bytes }) => stored - bytes, stored_bytes);
    return { quotaBytes, storedBytes, mended };
  }

  /**
   * Adds to what a Workspace is taken to store, unless somebody has done so since it was read.
   *
   * @returns whether it was added.
   */
  async mend(workspaceId: string, driftBytes: number, { mended }: Usage): Promise<boolean> {
    try {
      const { matchedCount, upsertedCount } = await this.#options.usage.updateOne(
        { _id: workspaceId, mended: mended ?? { $exists: false } },
        { $inc: { stored_bytes: driftBytes, mended: 1 }, $setOnInsert: { reservations: [] } },
        { upsert: mended === undefined },
      );
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      // The usage is there, and mended already.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /**
   * Claims the Workspace that has waited longest for a recount, for one replica.
   *
   * @param restMs how long ago the last recount must have begun, in milliseconds.
   */
  async claimForRecount(restMs: number): Promise<string | undefined> {
    const claimed = await this.#options.usage.findOneAndUpdate(
      { recounted_at: { $not: { $gt: new Date(Date.now() - restMs) } } },
      { $currentDate: { recounted_at: true } },
      { sort: { recounted_at: 1 }, projection: { _id: 1 } },
    );
    return claimed?._id;
  }

  /** Enters all decisions that are known; what cannot be entered is left to recovery. */
  async flush(): Promise<void> {
    const flushed = await Promise.allSettled(
      [...this.#workspaces.values()].map((workspace) => workspace.flush()),
    );
    for (const result of flushed) if (result.status === 'rejected') this.#warn(result.reason);
  }

  async #settleInDoubt(workspaceId: string, graceMs: number): Promise<boolean> {
    const { outcomes } = this.#options;
    const { reservations, now } = await this.#reservations(workspaceId);
    const found = await outcomes.find(workspaceId, reservations);
    const overdue = reservations.filter(
      ({ write_id, at }) => found.get(write_id) === 'in doubt' && now.getTime() - at.getTime() >= graceMs,
    );
    const decided = overdue.length === 0 ? [] : await outcomes.decide(workspaceId, overdue);
    return await this.#settle(workspaceId, reservations, new Map([...found, ...decided]));
  }

  /** The reservations of a Workspace with the time of the database, by whose clock they were made. */
  async #reservations(workspaceId: string): Promise<{ reservations: StoredReservation[]; now: Date }> {
    const found = await this.#options.usage
      .find({ _id: workspaceId })
      .project<{ reservations: StoredReservation[]; now: Date }>({ reservations: 1, now: '$$NOW' })
      .next();
    return found ?? { reservations: [], now: new Date() };
  }

  async #settle(
    workspaceId: string,
    changes: readonly ReservedChange[],
    outcomes: ReadonlyMap<string, ChangeOutcome>,
  ): Promise<boolean> {
    const decided = changes.filter(({ write_id }) => outcomes.get(write_id) !== 'in doubt');
    if (decided.length === 0) return false;
    const workspace = this.#workspace(workspaceId);
    for (const change of decided) workspace.settle(change, outcomes.get(change.write_id) as Decision);
    await workspace.flush();
    return true;
  }

  #workspace(workspaceId: string): WorkspaceUsage {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    const workspace = new WorkspaceUsage({
      usage: this.#options.usage,
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
