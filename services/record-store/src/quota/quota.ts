import { setTimeout as pause } from 'node:timers/promises';
import { inBackground, requireTimeLeft, type Timed } from '@action-platform/contracts/calls';
import { ActionError, failureLevel } from '@action-platform/contracts/errors';
import type { CountedLimit } from '@action-platform/contracts/limits';
import { within } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import type { CallBlock } from './call-block.ts';
import { type Insertion, PooledWrites } from './pooled-writes.ts';
import { Reservation } from './reservation.ts';
import {
  type ReservationOutcome,
  type ReservationOutcomes,
  type Reserved,
  type ReservedChange,
  releasedBytes,
  type StoredReservation,
  type StoredUsage,
} from './stored-usage.ts';
import { WorkspaceUsage } from './workspace-usage.ts';

export interface QuotaOptions {
  usage: Collection<StoredUsage>;
  outcomes: ReservationOutcomes;
  /** The default quota of a Workspace, in bytes. */
  defaultQuota: number;
  mostRevisions: CountedLimit;
  /** The bytes of the largest change. */
  largestChange: number;
  log: Logger;
}

/**
 * The age at which a writer that needs the room decides a reservation in doubt, in milliseconds. Without this grace, two
 * live writers that are short of room would abort each other. A call of many pushes may take longer than that beside other calls: the
 * pushes that it has not made by then become pushes of their own.
 */
const GRACE_MS = 2_000;
/** The most Workspaces whose abandoned reservations a round decides. */
const DECIDED_TOGETHER = 10_000;
/** The pause of a writer between two checks for decided reservations, in milliseconds. */
const LOOK_AGAIN_AFTER_MS = 25;

/**
 * Keeps every Workspace within its quota. A writer reserves bytes before the write that stores them, and releases them
 * when the write was not made. After a crash, recovery decides reservations in doubt through `outcomes`.
 */
export class Quota {
  readonly #options: QuotaOptions;
  readonly #pool: PooledWrites;
  readonly #workspaces = new Map<string, WorkspaceUsage>();
  readonly #settling = new Map<string, Promise<boolean>>();

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.#pool = new PooledWrites(options.usage.db.client);
  }

  /**
   * Reserves a change. Reservations in doubt cause no refusal: the quota settles them first.
   *
   * @param insertion the insertion that makes the change, if an insertion makes it. With enough room one command makes
   *   the reservation and the insertion; otherwise `Reservation.commit` makes the insertion.
   * @throws ActionError `record_store_quota_exceeded` when the bytes that are certainly stored leave no room for it, or the Workspace has
   *   reached its limit of revisions;
   *   `action_platform_unavailable` when reservations stay in doubt until the deadline. After any other error the
   *   outcome of the insertion is unknown.
   */
  async reserve(
    workspaceId: string,
    change: ReservedChange,
    timed: Timed,
    insertion?: Insertion,
  ): Promise<Reservation<boolean>> {
    // A tombstone remains of a Record with all its revisions.
    const revisions = change.kind === 'deletion' ? 1 - change.version : 1;
    for (;;) {
      requireTimeLeft(timed);
      const answer = await this.#workspace(workspaceId).reserve({ change, insertion }, timed);
      if (answer.isReserved) {
        return new Reservation(
          (isMade = false) =>
            this.#workspace(workspaceId).settle(
              change.write_id,
              releasedBytes(change, isMade),
              isMade ? revisions : 0,
            ),
          answer.isInserted,
        );
      }
      const { quotaBytes, certainBytes } = answer;
      if (answer.revisions >= this.#options.mostRevisions) {
        throw new ActionError('record_store_quota_exceeded', {
          message: `The Workspace has ${answer.revisions} revisions and deleted Records; an operator of the platform can raise their limit.`,
        });
      }
      if (certainBytes + change.bytes > quotaBytes) {
        throw new ActionError('record_store_quota_exceeded', {
          message: `The quota of the Workspace is ${quotaBytes} bytes; ${change.bytes} more do not fit.`,
        });
      }
      const isSettled = await this.settleInDoubt(workspaceId, GRACE_MS);
      if (!isSettled) await pause(LOOK_AGAIN_AFTER_MS);
    }
  }

  /**
   * Takes a slot for a push of this size in the open block of the Workspace. Its bytes are reserved already.
   *
   * @returns the record id that the push must have, and its reservation; undefined when no open block has a slot for it.
   */
  takeSlot(
    workspaceId: string,
    bytes: number,
  ): { recordId: string; reservation: Reservation<boolean> } | undefined {
    const slot = this.#workspaces.get(workspaceId)?.takeSlot(bytes);
    if (slot === undefined) return undefined;
    const settle = (isMade = false) => this.#workspace(workspaceId).settleSlot(slot, isMade);
    return { recordId: slot.recordId, reservation: new Reservation(settle) };
  }

  /** Reserves the block of a call; undefined when the Workspace has too little room for it. */
  async reserveBlock(
    workspaceId: string,
    block: CallBlock,
    timed: Timed,
  ): Promise<Reservation<readonly boolean[]> | undefined> {
    requireTimeLeft(timed);
    const { reserved } = block;
    const { isReserved } = await this.#workspace(workspaceId).reserve({ change: reserved }, timed);
    if (!isReserved) return undefined;
    return new Reservation((wereInserted = []) =>
      this.#workspace(workspaceId).settle(
        reserved.write_id,
        block.releasedBytes(wereInserted),
        wereInserted.filter(Boolean).length,
      ),
    );
  }

  /** Decides every block of a Workspace, of any replica, so that no later push uses the room that it reserved. */
  async endBlocks(workspaceId: string): Promise<void> {
    const { reservations } = await this.#reservations(workspaceId);
    const blocks = reservations.filter(({ kind }) => kind === 'pushes');
    await this.#settle(workspaceId, blocks, await this.#options.outcomes.decide(workspaceId, blocks));
  }

  /**
   * Decides the reservations in doubt of a Workspace that are older than `graceMs` milliseconds, and settles every
   * decided reservation, of any replica. Concurrent callers share one pass.
   *
   * @returns whether it settled any.
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

  /** Settles the reservations of a deleted Record. Its history must still exist. */
  async settleDeleted(workspaceId: string, recordId: string): Promise<void> {
    const { reservations } = await this.#reservations(workspaceId);
    const ofRecord = reservations.filter(
      (reserved) => reserved.kind !== 'pushes' && reserved.record_id === recordId,
    );
    await this.#settle(
      workspaceId,
      ofRecord,
      await this.#options.outcomes.find(workspaceId, ofRecord, inBackground),
    );
  }

  /** The ids of some Workspaces with a reservation older than this, the oldest first. */
  async withReservationsOlderThan(milliseconds: number): Promise<string[]> {
    const found = this.#options.usage.find(
      { reserved_since: { $lte: new Date(Date.now() - milliseconds) } },
      {
        projection: { _id: 1 },
        sort: { reserved_since: 1 },
        limit: DECIDED_TOGETHER,
        ...within(inBackground),
      },
    );
    return (await found.toArray()).map(({ _id }) => _id);
  }

  /** Enters all known decisions in the usage; recovery enters those for which this fails. */
  async flush(): Promise<void> {
    const flushed = await Promise.allSettled(
      [...this.#workspaces.values()].map((workspace) => workspace.flush()),
    );
    for (const result of flushed) if (result.status === 'rejected') this.#warn(result.reason);
  }

  async #settleInDoubt(workspaceId: string, graceMs: number): Promise<boolean> {
    const { outcomes } = this.#options;
    const { reservations, now } = await this.#reservations(workspaceId);
    const found = await outcomes.find(workspaceId, reservations, inBackground);
    const overdue = reservations.filter(
      ({ write_id, at }) => !found.get(write_id)!.isFinal && now.getTime() - at.getTime() >= graceMs,
    );
    const decided = overdue.length === 0 ? [] : await outcomes.decide(workspaceId, overdue);
    return await this.#settle(workspaceId, reservations, new Map([...found, ...decided]));
  }

  /** The reservations of a Workspace, with the time by the database's clock, as in their `at`. */
  async #reservations(workspaceId: string): Promise<{ reservations: StoredReservation[]; now: Date }> {
    const found = await this.#options.usage
      .find({ _id: workspaceId }, within(inBackground))
      .project<{ reservations: StoredReservation[]; now: Date }>({ reservations: 1, now: '$$NOW' })
      .next();
    return found ?? { reservations: [], now: new Date() };
  }

  async #settle(
    workspaceId: string,
    reservations: readonly Reserved[],
    outcomes: ReadonlyMap<string, ReservationOutcome>,
  ): Promise<boolean> {
    const decided = reservations.filter(({ write_id }) => outcomes.get(write_id)!.isFinal);
    if (decided.length === 0) return false;
    const workspace = this.#workspace(workspaceId);
    for (const { write_id } of decided) workspace.settle(write_id, outcomes.get(write_id)!.released);
    await workspace.flush();
    return true;
  }

  #workspace(workspaceId: string): WorkspaceUsage {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    const workspace = new WorkspaceUsage({
      usage: this.#options.usage,
      pool: this.#pool,
      workspaceId,
      defaultQuota: this.#options.defaultQuota,
      mostRevisions: this.#options.mostRevisions,
      largestChange: this.#options.largestChange,
      onIdle: () => this.#workspaces.delete(workspaceId),
      onError: (error) => this.#warn(error),
    });
    this.#workspaces.set(workspaceId, workspace);
    return workspace;
  }

  #warn(error: unknown): void {
    this.#options.log[failureLevel(error)](
      { err: error },
      'entering the outcomes of writes in the usage of a Workspace failed',
    );
  }
}
