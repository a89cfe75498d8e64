import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { Batcher } from '@action-platform/mongo';
import type { PooledWrites } from './pooled-writes.ts';
import { LONGEST_BLOCK_MS, newBlock, OpenBlock } from './push-block.ts';
import { type Room, roomAfter } from './states.ts';
import { type ReservedBlock, releasedBytes } from './stored-usage.ts';
import {
  bytesOf,
  type Entered,
  type ReservationAnswer,
  type ReservationRequest,
  reserve,
  reserveAndInsert,
  type UsageOfWorkspace,
} from './usage-commands.ts';

export interface WorkspaceUsageOptions extends UsageOfWorkspace {
  /** Combines its writes with those of other Workspaces. */
  pool: PooledWrites;
  /** The bytes of the largest change, and of a block of pushes. */
  largestChange: number;
  /** Called when no reservation and no decision is pending, and no block is open. */
  onIdle: () => void;
  /** Called when entering a decision failed; the usage will try again. */
  onError: (error: unknown) => void;
}

/** The database's time for an update grows faster than the number of its reservations. */
const RESERVED_AT_ONCE = { maxItems: 200, maxBytes: 8 * 1024 * 1024 };

/**
 * The longest that a decision waits for a reservation to share its update, in milliseconds: long enough that the end of a
 * block shares the update of the next one. A change that releases bytes does not wait, because a writer may need the room.
 */
const ENTERED_WITHIN_MS = LONGEST_BLOCK_MS + 100;

/** A Workspace that pushed so lately gets a block, in milliseconds. */
const OFTEN_MS = 100;
/**
 * How long after a refused reservation a full Workspace stays, in milliseconds, so that its next calls send no insertion that is going to
 * be refused.
 */
const FULL_MS = 1_000;
/** The most pushes in an update that opens a block. The ids of a block for more pushes would last for less than 8 milliseconds. */
const MOST_PUSHES = 64;

/** The slot of a push in an open block. */
export interface Slot {
  readonly recordId: string;
  readonly block: OpenBlock;
  readonly bytes: number;
}

/** Enters decisions, and reserves nothing. */
interface Flush {
  readonly change?: undefined;
}
const FLUSH: Flush = {};

/** Updates the usage of one Workspace for this replica, with one update for all pending changes. */
export class WorkspaceUsage {
  readonly #options: WorkspaceUsageOptions;
  readonly #updates: Batcher<ReservationRequest | Flush, ReservationAnswer | undefined>;
  #decided = new Map<string, number>();
  /** How many more revisions are stored than the database knows. */
  #revisions = 0;
  #block: OpenBlock | undefined;
  #pushedAt = Number.NEGATIVE_INFINITY;
  #pushesOften = false;
  #room: Room = 'ample';
  #refusedAt = Number.NEGATIVE_INFINITY;
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
        if (this.#decided.size > 0 || this.#block !== undefined) return;
        const now = performance.now();
        // The usage stays after a push: between two pushes of one client nothing is pending, and the second push begins a block.
        if (now - this.#pushedAt < OFTEN_MS) return this.#flushWithin(ENTERED_WITHIN_MS);
        if (now - this.#refusedAt < FULL_MS) return this.#flushWithin(FULL_MS);
        if (this.#revisions !== 0) return this.#flushWithin(ENTERED_WITHIN_MS);
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

  /** Takes a slot in the open block for a push of this size; undefined when none is open, or it has no room. */
  takeSlot(bytes: number): Slot | undefined {
    const now = performance.now();
    this.#pushesOften = now - this.#pushedAt < OFTEN_MS;
    this.#pushedAt = now;
    const recordId = this.#block?.take(bytes);
    if (recordId !== undefined) return { recordId, block: this.#block!, bytes };
    this.#endBlock();
    return undefined;
  }

  /** Records whether the push in a slot was made. A push that was not may have been aborted together with its block. */
  settleSlot({ block, bytes }: Slot, isMade: boolean): void {
    block.settle(bytes, isMade);
    if (isMade) this.#revisions++;
    if (!isMade && block === this.#block) this.#endBlock();
    else this.#settleBlock(block);
  }

  /**
   * Enters the bytes that a reservation releases, soon; without effect when its outcome is entered already.
   *
   * @param revisions how many more revisions are stored; recovery leaves their number to the next recount.
   */
  settle(writeId: string, released: number, revisions = 0): void {
    this.#revisions += revisions;
    this.#decided.set(writeId, released);
    this.#flushWithin(released > 0 ? 0 : ENTERED_WITHIN_MS);
  }

  /** Ends the open block and enters the decisions so far; rejects when the update fails. */
  async flush(): Promise<void> {
    this.#endBlock();
    await this.#updates.submit(FLUSH, inBackground);
  }

  #endBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    block?.end();
    if (block !== undefined) this.#settleBlock(block);
  }

  #settleBlock(block: OpenBlock): void {
    if (block.releasedBytes === undefined) return;
    this.#decided.set(block.reserved.write_id, block.releasedBytes);
    this.#flushWithin(this.#room === 'none' ? 0 : ENTERED_WITHIN_MS);
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
    if (this.#room === 'none') this.#endBlock();
    const decided = this.#decided;
    this.#decided = new Map();
    // The timer ends an open block, too.
    if (this.#block === undefined) this.#stopTimer();
    const entered = { decided, revisions: this.#revisions };
    const isNothing = reservations.length === 0 && decided.size === 0 && entered.revisions === 0;
    if (isNothing) return requests.map(() => ({ value: undefined }));
    this.#revisions = 0;
    try {
      const answers = (await this.#answers(entered, reservations, timed)).values();
      return requests.map(({ change }) => ({ value: change && answers.next().value }));
    } catch (error) {
      // The outcome of the update is unknown. Entering a decision twice has no effect, and revisions may be entered twice.
      this.#revisions += entered.revisions;
      for (const [writeId, released] of decided) this.#decided.set(writeId, released);
      this.#flushWithin(ENTERED_WITHIN_MS);
      throw error;
    }
  }

  /**
   * Reserves through the pool, with the insertions; or alone when the last change was refused, because the next one is then likely to be, and
   * when not all fit.
   */
  async #answers(
    entered: Entered,
    requests: readonly ReservationRequest[],
    timed: Timed,
  ): Promise<ReservationAnswer[]> {
    let unused = requests.filter(({ insertion }) => insertion === undefined);
    const block = this.#nextBlock(requests);
    try {
      if (this.#room !== 'none' || requests.length === 0) {
        const answers = await reserveAndInsert(this.#options, entered, requests, timed, block);
        if (answers !== undefined) {
          this.#open(block);
          return answers;
        }
        if (block !== undefined) {
          this.#room = roomAfter.blockRefused[this.#room];
          return await this.#answers(entered, requests, timed);
        }
      }
      unused = [...requests];
      const answers = await reserve(this.#options, entered, requests, timed);
      // The pushes of a refused block of a call may fit one by one.
      const changes = answers.filter((_, index) => requests[index]!.change.kind !== 'pushes');
      if (changes.some(({ isReserved }) => !isReserved)) {
        this.#room = roomAfter.changeRefused[this.#room];
        this.#refusedAt = performance.now();
      } else if (changes.length > 0) this.#room = roomAfter.changesReserved[this.#room];
      return answers;
    } catch (error) {
      // No insertion was sent for these reservations, so they can be aborted. A sent insertion may still be made.
      for (const { change } of unused) this.settle(change.write_id, releasedBytes(change, false));
      if (block !== undefined) this.settle(block.write_id, block.bytes);
      throw error;
    }
  }

  /** The block to reserve with these requests, for the pushes after them; undefined when it would save few updates. */
  #nextBlock(requests: readonly ReservationRequest[]): ReservedBlock | undefined {
    if (!this.#pushesOften || this.#room !== 'ample') return undefined;
    const pushes = requests.filter(({ insertion }) => insertion !== undefined).length;
    if (this.#block !== undefined || pushes === 0 || pushes > MOST_PUSHES) return undefined;
    return newBlock(this.#options.largestChange, pushes);
  }

  #open(block: ReservedBlock | undefined): void {
    if (block === undefined) return;
    this.#block = new OpenBlock(block);
    this.#flushWithin(ENTERED_WITHIN_MS);
  }
}
