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
  /** Through which it writes together with other Workspaces. */
  pool: PooledWrites;
  /** Called when nothing is left to do. */
  onIdle: () => void;
  /** Called when a decision could not be entered; it will be tried again. */
  onError: (error: unknown) => void;
}

/** As each reservation costs room in the update, and the database's time grows faster than their number. */
const RESERVED_AT_ONCE = { maxItems: 200, maxBytes: 8 * 1024 * 1024 };

/**
 * How long a decision that changes no sum may wait for a reservation to travel with, in milliseconds. One that
 * releases bytes does not wait, as somebody may need the room.
 */
const ENTERED_WITHIN_MS = 250;

/** Asks to enter decisions, and reserves nothing. */
interface Flush {
  readonly change?: undefined;
}
const FLUSH: Flush = {};

/** Updates the usage of one Workspace for this replica: all that waits goes out as one update. */
export class WorkspaceUsage {
  readonly #options: WorkspaceUsageOptions;
  readonly #updates: Batcher<ReservationRequest | Flush, ReservationAnswer | undefined>;
  #decided = new Map<string, Decision>();
  /** There was no room the last time: insertions do not go out with their reservations, most likely to be refused. */
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
        // Forgotten between two calls, a full Workspace would have to refuse insertions with each of them.
        if (this.#decided.size > 0 || this.#isShortOfRoom) return;
        this.#stopTimer();
        options.onIdle();
      },
    );
  }

  /**
   * Reserves a change, in one update with whatever else is waiting; its insertion goes out with it when there is room.
   *
   * @throws ActionError `action_platform_unavailable` when the deadline had passed: nothing was sent. After any other
   *   error it is unknown whether the insertion takes effect: the change is in doubt until recovery decides it.
   */
  async reserve(request: ReservationRequest, timed: Timed): Promise<ReservationAnswer> {
    return (await this.#updates.submit(request, timed))!;
  }

  /** Enters what became of a change soon; of no effect when it is entered already. */
  settle(change: Pick<ReservedChange, 'kind' | 'write_id'>, decision: Decision): void {
    this.#decided.set(change.write_id, decision);
    this.#flushWithin(releasesBytes(change, decision) ? 0 : ENTERED_WITHIN_MS);
  }

  /** Resolves when all that was settled so far is entered; rejects when it could not be. */
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
      // Whether it took effect is not known. To enter a decision again does no harm.
      for (const [writeId, decision] of decided) this.#decided.set(writeId, decision);
      throw error;
    }
  }

  /** Reserves, in the pool with the insertions that came along when that is worth trying, and alone when it is not, or fails. */
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
      // A reservation without its insertion is not going to be used, even if it was made. One with it may be.
      for (const { change } of unused) this.settle(change, 'aborted');
      throw error;
    }
  }
}
