import { Batcher } from '@action-platform/batching';
import { inBackground, type Timed } from '@action-platform/contracts';
import type { PooledWrites } from './pooled-writes.ts';
import type { Decision, ReservedChange } from './stored-usage.ts';
import {
  bytesOf,
  type ReservationAnswer,
  type ReservationRequest,
  releasesBytes,
  reserve,
  reserveAndInsert,
  type UsageOfWorkspace,
} from './usage-commands.ts';

export interface WorkspaceUsageOptions extends UsageOfWorkspace {
  /** Combines its writes with those of other Workspaces. */
  pool: PooledWrites;
  /** Called when no reservation and no decision is pending. */
  onIdle: () => void;
  /** Called when entering a decision failed; the usage will try again. */
  onError: (error: unknown) => void;
}

/** Each reservation makes the update larger, and the database's time grows faster than their number. */
const RESERVED_AT_ONCE = { maxItems: 200, maxBytes: 8 * 1024 * 1024 };

/**
 * The longest that a decision waits for a reservation to share its update, in milliseconds. A decision that releases
 * bytes does not wait, because a writer may need the room.
 */
const ENTERED_WITHIN_MS = 250;

/** Enters decisions, and reserves nothing. */
interface Flush {
  readonly change?: undefined;
}
const FLUSH: Flush = {};

/** Updates the usage of one Workspace for this replica, with one update for all pending changes. */
export class WorkspaceUsage {
  readonly #options: WorkspaceUsageOptions;
  readonly #updates: Batcher<ReservationRequest | Flush, ReservationAnswer | undefined>;
  #decided = new Map<string, Decision>();
  /** Whether the last reservation did not fit. The next is then likely to be refused, and is sent without its insertion. */
  #isShortOfRoom = false;
  #timer: NodeJS.Timeout | undefined;
  #timerDue = Number.POSITIVE_INFINITY;

  constructor(options: WorkspaceUsageOptions) {
    this.#options = options;
    this.#updates = new Batcher(
      'usage.update',
      {
        ...RESERVED_AT_ONCE,
        bytesOf: (request) => (request.change === undefined ? 0 : bytesOf(request)),
      },
      (requests, timed) => this.#update(requests, timed),
      () => {
        // A full Workspace stays, so that its next call does not send an insertion that is going to be refused.
        if (this.#decided.size > 0 || this.#isShortOfRoom) return;
        this.#stopTimer();
        options.onIdle();
      },
    );
  }

  /**
   * Reserves a change, in one update with all others that are pending, and with its insertion when there is room.
   *
   * @throws ActionError `action_platform_unavailable` when the deadline passed before the update was sent. After any
   *   other error the outcome of the insertion is unknown: the change is in doubt until recovery decides it.
   */
  async reserve(request: ReservationRequest, timed: Timed): Promise<ReservationAnswer> {
    return (await this.#updates.submit(request, timed))!;
  }

  /** Enters the outcome of a change soon; without effect when it is entered already. */
  settle(change: Pick<ReservedChange, 'kind' | 'write_id'>, decision: Decision): void {
    this.#decided.set(change.write_id, decision);
    this.#flushWithin(releasesBytes(change, decision) ? 0 : ENTERED_WITHIN_MS);
  }

  /** Enters the decisions so far; rejects when the update fails. */
  async flush(): Promise<void> {
    await this.#updates.submit(FLUSH, inBackground);
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
    requests: readonly (ReservationRequest | Flush)[],
    timed: Timed,
  ): Promise<{ value: ReservationAnswer | undefined }[]> {
    const reservations = requests.filter((request) => request.change !== undefined);
    const decided = this.#decided;
    this.#decided = new Map();
    if (reservations.length === 0 && decided.size === 0) return requests.map(() => ({ value: undefined }));
    try {
      const answers = (await this.#answers(decided, reservations, timed)).values();
      return requests.map(({ change }) => ({ value: change && answers.next().value }));
    } catch (error) {
      // The outcome of the update is unknown. Entering a decision twice has no effect.
      for (const [writeId, decision] of decided) this.#decided.set(writeId, decision);
      throw error;
    }
  }

  /** Reserves through the pool, with the insertions, while there is room; otherwise, or when not all fit, alone. */
  async #answers(
    decided: ReadonlyMap<string, Decision>,
    requests: readonly ReservationRequest[],
    timed: Timed,
  ): Promise<ReservationAnswer[]> {
    let unused = requests.filter(({ insertion }) => insertion === undefined);
    try {
      if (!this.#isShortOfRoom || requests.length === 0) {
        const answers = await reserveAndInsert(this.#options, decided, requests, timed);
        if (answers !== undefined) return answers;
      }
      unused = [...requests];
      const answers = await reserve(this.#options, decided, requests, timed);
      if (answers.length > 0) this.#isShortOfRoom = answers.some(({ isReserved }) => !isReserved);
      return answers;
    } catch (error) {
      // No insertion was sent for these reservations, so they can be aborted. A sent insertion may still be made.
      for (const { change } of unused) this.settle(change, 'aborted');
      throw error;
    }
  }
}
