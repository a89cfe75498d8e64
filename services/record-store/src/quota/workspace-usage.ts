import { Batcher } from '@action-platform/batching';
import type { Documents } from '../database/documents.ts';
import type { BookedChange, Settlement } from './usage-document.ts';
import { usageUpdate } from './usage-update.ts';

/** The answer to a booking. */
export interface BookingAnswer {
  readonly isBooked: boolean;
  /** The quota in force, in bytes. */
  readonly quotaBytes: number;
}

/** What a Workspace's usage needs to know of its surroundings. */
export interface WorkspaceUsageOptions {
  usage: Documents['usage'];
  workspaceId: string;
  defaultQuota: number;
  /** Told when there is nothing left to do. */
  onIdle: () => void;
  /** Told when a settlement could not be entered; it will be tried again. */
  onError: (error: unknown) => void;
}

/** As each booking costs room in the update, and the database's time grows faster than their number. */
const BOOKED_AT_ONCE = 200;

/**
 * How long a settlement that changes no sum may wait for a booking to travel with, in milliseconds. One that gives
 * bytes back does not wait, as somebody may need the room.
 */
const SETTLED_WITHIN_MS = 250;

/** This replica's dealings with the usage of one Workspace: what is waiting goes out as one update. */
export class WorkspaceUsage {
  readonly #options: WorkspaceUsageOptions;
  readonly #updates: Batcher<BookedChange | undefined, BookingAnswer | undefined>;
  #settled = new Map<string, Settlement>();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerDue = Number.POSITIVE_INFINITY;

  constructor(options: WorkspaceUsageOptions) {
    this.#options = options;
    this.#updates = new Batcher('usage.update', { maxItems: BOOKED_AT_ONCE }, (changes) =>
      this.#update(changes),
    );
  }

  /** Books a change, in one update with whatever else is waiting. */
  async book(change: BookedChange): Promise<BookingAnswer> {
    return (await this.#submit(change))!;
  }

  /** Enters the outcome of a change soon; of no effect when it is entered already. */
  settle(writeId: string, settlement: Settlement): void {
    this.#settled.set(writeId, settlement);
    this.#flushWithin(settlement === 'given back' ? 0 : SETTLED_WITHIN_MS);
  }

  /** Resolves when all that was settled so far is entered; rejects when it could not be. */
  async flush(): Promise<void> {
    await this.#submit(undefined);
  }

  async #submit(change: BookedChange | undefined): Promise<BookingAnswer | undefined> {
    this.#underWay++;
    try {
      return await this.#updates.submit(change);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0 && this.#settled.size === 0) {
        this.#stopTimer();
        this.#options.onIdle();
      }
    }
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
        this.#flushWithin(SETTLED_WITHIN_MS);
      });
    }, milliseconds).unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  async #update(
    changes: readonly (BookedChange | undefined)[],
  ): Promise<{ value: BookingAnswer | undefined }[]> {
    const { usage, workspaceId, defaultQuota } = this.#options;
    const booked = changes.filter((change) => change !== undefined);
    const settled = this.#settled;
    this.#settled = new Map();
    if (booked.length === 0 && settled.size === 0) return changes.map(() => ({ value: undefined }));
    try {
      const after = await usage.findOneAndUpdate(
        { _id: workspaceId },
        usageUpdate({ settled, booked, defaultQuota }),
        { upsert: true, returnDocument: 'after', projection: { quota_bytes: 1, 'pending.write_id': 1 } },
      );
      const pendingIds = new Set(after!.pending.map(({ write_id }) => write_id));
      const quotaBytes = after!.quota_bytes ?? defaultQuota;
      return changes.map((change) => ({
        value: change && { isBooked: pendingIds.has(change.write_id), quotaBytes },
      }));
    } catch (error) {
      // Whether it took effect is not known. To settle again does no harm, and what was being booked, perhaps
      // successfully, is not going to be used.
      for (const [writeId, settlement] of settled) this.#settled.set(writeId, settlement);
      for (const { write_id, kind } of booked)
        this.settle(write_id, kind === 'revision' ? 'given back' : 'kept');
      throw error;
    }
  }
}
