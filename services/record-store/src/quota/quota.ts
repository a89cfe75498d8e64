import { setTimeout as pause } from 'node:timers/promises';
import { ActionError, inBackground, requireTimeLeft, type Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import { type Insertion, PooledWrites } from './pooled-writes.ts';
import type {
  ChangeOutcome,
  ChangeOutcomes,
  Decision,
  ReservedChange,
  StoredReservation,
  StoredUsage,
} from './stored-usage.ts';
import { WorkspaceUsage } from './workspace-usage.ts';

export interface QuotaOptions {
  usage: Collection<StoredUsage>;
  outcomes: ChangeOutcomes;
  /** The quota of a Workspace for which none was set, in bytes. */
  defaultQuota: number;
  log: Logger;
}

/**
 * How old a reservation in doubt must be before a writer that needs the room has it decided, in milliseconds. Without
 * the grace, two live writers that are short of room would abort each other.
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
  readonly #pool: PooledWrites;
  readonly #workspaces = new Map<string, WorkspaceUsage>();
  readonly #settling = new Map<string, Promise<boolean>>();

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.#pool = new PooledWrites(options.usage.db.client);
  }

  /**
   * Reserves a change. Nobody is refused because of what is in doubt: that is settled first.
   *
   * @param insertion the insertion that makes the change, if that is one. Where room is plenty it goes out with the
   *   reservation, in one command; where not, it is still to be made, as `Reservation.commit` knows.
   * @throws ActionError `record_store_quota_exceeded` when what is stored beyond doubt leaves no room for it;
   *   `action_platform_unavailable` when that could not be told before the deadline. After any other error it is
   *   unknown whether the insertion takes effect.
   */
  async reserve(
    workspaceId: string,
    change: ReservedChange,
    timed: Timed,
    insertion?: Insertion,
  ): Promise<Reservation> {
    for (;;) {
      requireTimeLeft(timed);
      const answer = await this.#workspace(workspaceId).reserve({ change, insertion }, timed);
      if (answer.isReserved) {
        const settle = (decision: Decision) => this.#workspace(workspaceId).settle(change, decision);
        return new Reservation(settle, answer.isInserted);
      }
      const { quotaBytes, certainBytes } = answer;
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
   * Settles the reservations of a Workspace that can be decided, of any replica, and decides those in doubt that
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
    await this.#settle(
      workspaceId,
      ofRecord,
      await this.#options.outcomes.find(workspaceId, ofRecord, inBackground),
    );
  }

  /** The Workspaces that have reservations older than so many milliseconds, the oldest first. */
  async *withReservationsOlderThan(milliseconds: number): AsyncGenerator<string, void, undefined> {
    const found = this.#options.usage.find(
      { reserved_since: { $lte: new Date(Date.now() - milliseconds) } },
      { projection: { _id: 1 }, sort: { reserved_since: 1 }, ...within(inBackground) },
    );
    for await (const { _id } of found) yield _id;
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
    const found = await outcomes.find(workspaceId, reservations, inBackground);
    const overdue = reservations.filter(
      ({ write_id, at }) => found.get(write_id) === 'in doubt' && now.getTime() - at.getTime() >= graceMs,
    );
    const decided = overdue.length === 0 ? [] : await outcomes.decide(workspaceId, overdue);
    return await this.#settle(workspaceId, reservations, new Map([...found, ...decided]));
  }

  /** The reservations of a Workspace with the time of the database, by whose clock they were made. */
  async #reservations(workspaceId: string): Promise<{ reservations: StoredReservation[]; now: Date }> {
    const found = await this.#options.usage
      .find({ _id: workspaceId }, within(inBackground))
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
      pool: this.#pool,
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

/** Bytes reserved for a change of a Workspace: to be committed or released. */
export class Reservation {
  readonly #settle: (decision: Decision) => void;
  readonly #isMade: boolean | undefined;

  /** @param isMade what came of the change when it was made together with the reservation. */
  constructor(settle: (decision: Decision) => void, isMade?: boolean) {
    this.#settle = settle;
    this.#isMade = isMade;
  }

  /**
   * Makes the reserved change, unless that was tried together with the reservation.
   *
   * @param write the single-document write that commits it and leaves its id on the head of the Record; false when
   *   a precondition did not hold, an ActionError when it was not sent. After any other error it is unknown whether
   *   it took effect: the change stays in doubt until recovery decides it.
   */
  async commit(write: () => Promise<boolean>): Promise<boolean> {
    try {
      const isMade = this.#isMade ?? (await write());
      this.#settle(isMade ? 'committed' : 'aborted');
      return isMade;
    } catch (error) {
      if (error instanceof ActionError) this.release();
      throw error;
    }
  }

  /** Gives the room back: the change will not be made. */
  release(): void {
    this.#settle('aborted');
  }
}
