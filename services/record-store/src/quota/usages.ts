import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { isDuplicateKey, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import { atOneTime, type Snapshot } from '../storage/snapshot.ts';
import type { ReservationOutcomes, StoredUsage } from './stored-usage.ts';

/** The usage of a Workspace at one point in time. */
export interface Usage {
  /** The quota in force, in bytes. */
  quotaBytes: number;
  /** The stored bytes, without reserved changes that were not made by then. */
  storedBytes: number;
  /** The recorded number of stored revisions. */
  revisions: number;
  /** The number of recounts that corrected it; undefined before the first. */
  corrections: number | undefined;
}

/** The usage of Workspaces, as operators and recounts read and change it. */
export class Usages {
  readonly #usage: Collection<StoredUsage>;
  readonly #outcomes: ReservationOutcomes;
  readonly #defaultQuota: number;

  /** @param defaultQuota the default quota of a Workspace, in bytes. */
  constructor(usage: Collection<StoredUsage>, outcomes: ReservationOutcomes, defaultQuota: number) {
    this.#usage = usage;
    this.#outcomes = outcomes;
    this.#defaultQuota = defaultQuota;
  }

  /** Sets the quota of a Workspace, in bytes. Records that already exceed it stay. */
  async set(workspaceId: string, bytes: number, timed: Timed): Promise<void> {
    await this.#usage.updateOne(
      { _id: workspaceId },
      { $set: { quota_bytes: bytes }, $setOnInsert: { stored_bytes: 0, reservations: [] } },
      { upsert: true, ...within(timed) },
    );
  }

  /** The usage of a Workspace now, or at the point in time of a snapshot. Writes in flight do not distort it. */
  async show(workspaceId: string, timed: Timed, snapshot?: Snapshot): Promise<Usage> {
    if (snapshot === undefined) {
      return await atOneTime(this.#usage.db.client, (now) => this.show(workspaceId, timed, now));
    }
    const found = await this.#usage.findOne({ _id: workspaceId }, { ...snapshot, ...within(timed) });
    if (found === null) {
      return { quotaBytes: this.#defaultQuota, storedBytes: 0, revisions: 0, corrections: undefined };
    }
    const { reservations, stored_bytes, quota_bytes: quotaBytes = this.#defaultQuota } = found;
    const { revisions = 0, corrections } = found;
    const outcomes = await this.#outcomes.find(workspaceId, reservations, timed, snapshot);
    const storedBytes = outcomes.values().reduce((stored, { released }) => stored - released, stored_bytes);
    return { quotaBytes, storedBytes, revisions, corrections };
  }

  /**
   * Corrects the recorded bytes and revisions of a Workspace, unless another recount has done so since they were read.
   *
   * @returns whether it corrected them.
   */
  async correct(
    workspaceId: string,
    drift: { readonly bytes: number; readonly revisions: number },
    { corrections }: Usage,
    timed: Timed,
  ): Promise<boolean> {
    try {
      const { matchedCount, upsertedCount } = await this.#usage.updateOne(
        { _id: workspaceId, corrections: corrections ?? { $exists: false } },
        {
          $inc: { stored_bytes: drift.bytes, revisions: drift.revisions, corrections: 1 },
          $setOnInsert: { reservations: [] },
        },
        { upsert: corrections === undefined, ...within(timed) },
      );
      return matchedCount + upsertedCount === 1;
    } catch (error) {
      // A concurrent recount has created the document.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /**
   * Claims for this replica the Workspace with the oldest recount.
   *
   * @param restMs the least time since that recount began, in milliseconds.
   * @returns the id of the Workspace; undefined when every Workspace has a younger recount.
   */
  async claimForRecount(restMs: number): Promise<string | undefined> {
    const claimed = await this.#usage.findOneAndUpdate(
      { recounted_at: { $not: { $gt: new Date(Date.now() - restMs) } } },
      { $currentDate: { recounted_at: true } },
      { sort: { recounted_at: 1 }, projection: { _id: 1 }, ...within(inBackground) },
    );
    return claimed?._id;
  }
}
