import { Batcher } from '@action-platform/batching';
import { inBackground, type Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { Decision, ReservedChange, StoredUsage } from './stored-usage.ts';
import { releasesBytes, usageUpdate } from './usage-update.ts';

/** The answer to a reservation. */
export interface ReservationAnswer {
  readonly isReserved: boolean;
  /** The quota in force, in bytes. */
  readonly quotaBytes: number;
  /** What was stored beyond doubt just then, in bytes: without any reserved change that may still come to nothing. */
  readonly certainBytes: number;
}

/** What a Workspace's usage needs to know of its surroundings. */
export interface WorkspaceUsageOptions {
  usage: Collection<StoredUsage>;
  workspaceId: string;
  defaultQuota: number;
  /** Told when there is nothing left to do. */
  onIdle: () => void;
  /** Told when a decision could not be entered; it will be tried again. */
  onError: (error: unknown) => void;
}

/** As each reservation costs room in the update, and the database's time grows faster than their number. */
const RESERVED_AT_ONCE = 200;

/**
 * How long a decision that changes no sum may wait for a reservation to travel with, in milliseconds. One that
 * releases bytes does not wait, as somebody may need the room.
 */
const ENTERED_WITHIN_MS = 250;

/** This replica's dealings with the usage of one Workspace: what is waiting goes out as one update. */
export class WorkspaceUsage {
  readonly #options: WorkspaceUsageOptions;
  readonly #updates: Batcher<ReservedChange | undefined, ReservationAnswer | undefined>;
  #decided = new Map<string, Decision>();
  #timer: NodeJS.Timeout | undefined;
  #timerDue = Number.POSITIVE_INFINITY;

  constructor(options: WorkspaceUsageOptions) {
    this.#options = options;
    this.#updates = new Batcher(
      'usage.update',
      { maxItems: RESERVED_AT_ONCE },
      (changes, timed) => this.#update(changes, timed),
      () => {
        if (this.#decided.size > 0) return;
        this.#stopTimer();
        options.onIdle();
      },
    );
  }

  /** Reserves a change, in one update with whatever else is waiting. */
  async reserve(change: ReservedChange, timed: Timed): Promise<ReservationAnswer> {
    return (await this.#updates.submit(change, timed))!;
  }

  /** Enters what became of a change soon; of no effect when it is entered already. */
  settle(change: Pick<ReservedChange, 'kind' | 'write_id'>, decision: Decision): void {
    this.#decided.set(change.write_id, decision);
    this.#flushWithin(releasesBytes(change, decision) ? 0 : ENTERED_WITHIN_MS);
  }

  /** Resolves when all that was settled so far is entered; rejects when it could not be. */
  async flush(): Promise<void> {
    await this.#updates.submit(undefined, inBackground);
  }

  #flushWithin(milliseconds: number): void {
    const due = performance.now() + milliseconds;
    if (due >= this.#timerDue) return;
    this.#stopTimer();
    this.#timerDue = due;
    this.#timer = setTimeout(() => {
      this.#stopTimer();
      this.flush().catch((error: unknown) => {
        this.#options.onError(error);
        this.#flushWithin(ENTERED_WITHIN_MS);
      });
    }, milliseconds).unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  async #update(
    changes: readonly (ReservedChange | undefined)[],
    timed: Timed,
  ): Promise<{ value: ReservationAnswer | undefined }[]> {
    const { usage, workspaceId, defaultQuota } = this.#options;
    const reserved = changes.filter((change) => change !== undefined);
    const decided = this.#decided;
    this.#decided = new Map();
    if (reserved.length === 0 && decided.size === 0) return changes.map(() => ({ value: undefined }));
    try {
      const after = await usage.findOneAndUpdate(
        { _id: workspaceId },
        usageUpdate({ decided, reserved, defaultQuota }),
        {
          upsert: true,
          returnDocument: 'after',
          ...within(timed),
          projection: {
            quota_bytes: 1,
            stored_bytes: 1,
            'reservations.write_id': 1,
            'reservations.bytes': 1,
          },
        },
      );
      const { reservations, stored_bytes, quota_bytes: quotaBytes = defaultQuota } = after!;
      const reservedIds = new Set(reservations.map(({ write_id }) => write_id));
      const certainBytes = reservations.reduce((certain, { bytes }) => certain - bytes, stored_bytes);
      return changes.map((change) => ({
        value: change && { isReserved: reservedIds.has(change.write_id), quotaBytes, certainBytes },
      }));
    } catch (error) {
      // Whether it took effect is not known. To enter a decision again does no harm, and what was being reserved,
      // perhaps successfully, is not going to be used.
      for (const [writeId, decision] of decided) this.#decided.set(writeId, decision);
      for (const change of reserved) this.settle(change, 'aborted');
      throw error;
    }
  }
}
