import { FairQueue } from '@action-platform/admission';
import { MailUnavailable } from '../provider.ts';
import { MUCH_WORK_MS } from './session-thread.ts';
import { ImapFailure } from './thread/refusals.ts';

/** When to try again after a wait for a thread, in seconds. */
const BUSY_SECONDS = 1;
/** A session that takes longer, or much work, makes its Workspace slow, in milliseconds. */
const SLOW_MS = 3_000;
/** How long a Workspace is slow after a session that took long, in milliseconds. */
const STAYS_SLOW_MS = 60_000;
/** How long a Workspace counts as a heavy one, and as slow, after a session that took much work, in milliseconds. */
const STAYS_HEAVY_MS = 600_000;
/** After much work, heavy Workspaces wait so many times as long. So they take about a tenth of a processor together. */
const REST_FACTOR = 10;
/** How often the sessions under way are checked while others wait, in milliseconds. */
const CHECKED_EVERY_MS = 250;

/** The turn of a session, which has a thread. */
export interface Turn {
  /** Aborts with the signal of the session, and when it has to leave its thread to another Workspace. */
  readonly signal: AbortSignal;
  /** Whether its Workspace was slow when it began. */
  readonly isSlow: boolean;
  /** The processor time that the session took, in milliseconds, which it sets before it ends. */
  workMs: number;
}

/** A session that has a thread. */
interface Running {
  readonly workspace: string;
  readonly begunAt: number;
  /** Ends it for the session of another Workspace. */
  readonly preempted: AbortController;
}

/** A session that waits for a thread. */
interface WaitingSession {
  readonly workspace: string;
  readonly begin: (running: Running) => void;
}

/**
 * Shares few threads among Workspaces. A session holds its thread while it waits for its server, so silent servers could hold them all:
 *
 * - Workspaces take turns. A Workspace gets another thread while more are free than it has: alone half of them, and new Workspaces find
 *   one.
 * - Slow Workspaces have at most half of the threads. Sessions that made theirs slow when they had more end, the longest first, while
 *   another Workspace has no thread.
 * - After a session that took much work, the sessions of Workspaces with such sessions wait: the processors belong to all services of a
 *   machine.
 */
export class ThreadShares {
  readonly #threads: number;
  readonly #running = new Set<Running>();
  readonly #waiting = new FairQueue<WaitingSession>();
  /** Until when a Workspace is slow, and until when it is a heavy one. */
  readonly #slowUntil = new Map<string, number>();
  readonly #heavyUntil = new Map<string, number>();
  /** When sessions of heavy Workspaces may begin again. */
  #restedAt = 0;
  #checking: NodeJS.Timeout | undefined;

  constructor(threads: number) {
    this.#threads = threads;
  }

  /**
   * Runs a session once its Workspace gets a thread.
   *
   * @throws MailUnavailable when the given signal aborted before; nothing was done then.
   */
  async take<Result>(
    workspace: string,
    signal: AbortSignal,
    session: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const running = await this.#turn(workspace, signal);
    const turn = {
      signal: AbortSignal.any([signal, running.preempted.signal]),
      isSlow: this.#isSlow(workspace),
      workMs: 0,
    };
    try {
      return await session(turn);
    } finally {
      this.#leave(running, turn.workMs);
    }
  }

  async #turn(workspace: string, signal: AbortSignal): Promise<Running> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<Running>();
    const waiting = { workspace, begin };
    const giveUp = () => {
      this.#waiting.remove((each) => each === waiting);
      reject(new MailUnavailable(BUSY_SECONDS));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.add({ workspace, caller: '' }, waiting);
    this.#begin();
    this.#checking ??= setInterval(() => this.#check(), CHECKED_EVERY_MS);
    return await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #leave(running: Running, workMs: number): void {
    this.#running.delete(running);
    const now = performance.now();
    const { workspace, begunAt } = running;
    for (const marks of [this.#slowUntil, this.#heavyUntil])
      for (const [each, until] of marks) if (until <= now) marks.delete(each);
    if (now - begunAt > SLOW_MS) this.#slowUntil.set(workspace, now + STAYS_SLOW_MS);
    if (workMs > MUCH_WORK_MS) {
      this.#heavyUntil.set(workspace, now + STAYS_HEAVY_MS);
      this.#restedAt = Math.max(this.#restedAt, now) + workMs * REST_FACTOR;
    }
    this.#begin();
  }

  /** Gives free threads to sessions that wait. */
  #begin(): void {
    for (;;) {
      const next = this.#waiting.next(({ workspace }) => this.#mayBegin(workspace));
      if (next === undefined) return;
      const { workspace, begin } = next;
      const running = { workspace, begunAt: performance.now(), preempted: new AbortController() };
      this.#running.add(running);
      begin(running);
    }
  }

  #mayBegin(workspace: string): boolean {
    if (this.#threadsOf(workspace) >= this.#threads - this.#running.size) return false;
    if (!this.#isSlow(workspace)) return true;
    const rests = this.#isMarked(this.#heavyUntil, workspace) && performance.now() < this.#restedAt;
    return !rests && this.#slowSessions().length < this.#threads / 2;
  }

  /**
   * Begins the sessions that have waited for the end of a rest, and ends the longest session of a slow Workspace when these have more than
   * their half and another Workspace has no thread.
   */
  #check(): void {
    this.#begin();
    if (this.#waiting.length === 0) {
      clearInterval(this.#checking);
      this.#checking = undefined;
      return;
    }
    if (this.#running.size < this.#threads) return;
    const slow = this.#slowSessions();
    if (slow.length <= this.#threads / 2) return;
    const isNew = (workspace: string) => this.#threadsOf(workspace) === 0 && !this.#isSlow(workspace);
    if (!this.#waiting.has(({ workspace }) => isNew(workspace))) return;
    slow[0]!.preempted.abort(new ImapFailure('too slow'));
  }

  /** The sessions of slow Workspaces, the longest first, without those that end. */
  #slowSessions(): Running[] {
    const isSlow = ({ workspace, preempted }: Running) =>
      !preempted.signal.aborted && this.#isSlow(workspace);
    return [...this.#running].filter(isSlow);
  }

  #threadsOf(workspace: string): number {
    return [...this.#running].filter((running) => running.workspace === workspace).length;
  }

  #isSlow(workspace: string): boolean {
    const now = performance.now();
    const takesLong = (running: Running) =>
      running.workspace === workspace && now - running.begunAt > SLOW_MS;
    const isMarked = [this.#slowUntil, this.#heavyUntil].some((marks) => this.#isMarked(marks, workspace));
    return isMarked || [...this.#running].some(takesLong);
  }

  #isMarked(marks: ReadonlyMap<string, number>, workspace: string): boolean {
    return (marks.get(workspace) ?? 0) > performance.now();
  }
}
