import { setTimeout as delay } from 'node:timers/promises';
import { type FairnessKey, FairQueue } from '@action-platform/admission';
import type { Timed } from '@action-platform/contracts/calls';

/** How long a process counts as shared after it answered a call of another caller, in milliseconds. */
const SHARED_FOR_MS = 1_000;
/** The items of a turn in a shared process. Fewer cost as much for each turn; more hold the process, and the database, for longer. */
const ITEMS_OF_A_TURN = 25;
/** The pause after a turn, as a multiple of its duration, so turns take at most a ninth of the time, and are rarer on a slow machine. */
const PAUSE = 8;
/** The longest pause, in milliseconds: a turn that took long because the database was away delays the next one no further. */
const LONGEST_PAUSE_MS = 250;

/**
 * With less time left, in milliseconds, a call does the rest of its work in one turn, without a wait: longer than the turns and pauses of the
 * calls at work (`host.ts`), and shorter than the time that a call has left after the longest wait in the queue, at the default deadline.
 */
const LATE_MS = 1_500;

/** Does the work of the items of a turn; returns a result for each. @param from the place of its first item among those of the call */
type WorkOfTurn<Item, Result> = (items: readonly Item[], from: number) => Promise<readonly Result[]>;

interface BulkCall extends Timed {
  readonly fairnessKey: FairnessKey;
}

interface AnsweredCaller extends FairnessKey {
  /** The time of its last answer. */
  readonly at: number;
}

const nobody: AnsweredCaller = { workspace: '', caller: '', at: Number.NEGATIVE_INFINITY };

/**
 * The turns in which a process works on bulk calls. While the process answers calls of others, a turn has few items, and turns follow one
 * another with pauses in between, in which the other calls have the processors; the Workspaces take turns. Otherwise a call is one turn,
 * beside those of other bulk calls.
 */
export class BulkTurns {
  /** The caller of the last answer, and the last caller before with another Workspace or name. */
  #latest = nobody;
  #former = nobody;
  /** The turns that wait for the pause after the present one. */
  readonly #waiting = new FairQueue<() => void>();
  #isTaken = false;

  /** Notes that a call was answered that is no bulk call. */
  answered({ workspace, caller }: FairnessKey): void {
    if (!isOf(this.#latest, workspace, caller)) this.#former = this.#latest;
    this.#latest = { workspace, caller, at: performance.now() };
  }

  /** The results for the items of a caller's bulk call, in their order. Rejects as its work does; no turn follows. */
  async run<Item, Result>(
    { fairnessKey: caller, deadline }: BulkCall,
    items: readonly Item[],
    work: WorkOfTurn<Item, Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    while (results.length < items.length) {
      const from = results.length;
      const isShared = this.#isSharedBy(caller) && performance.now() < deadline - LATE_MS;
      const together = items.slice(from, isShared ? from + ITEMS_OF_A_TURN : undefined);
      const turn = () => work(together, from);
      results.push(...(await (isShared ? this.#afterOthers(caller, turn) : turn())));
    }
    return results;
  }

  #isSharedBy({ workspace, caller }: FairnessKey): boolean {
    const other = isOf(this.#latest, workspace, caller) ? this.#former : this.#latest;
    return performance.now() < other.at + SHARED_FOR_MS;
  }

  async #afterOthers<Result>(caller: FairnessKey, turn: () => Promise<Result>): Promise<Result> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.add(caller, resolve));
    this.#isTaken = true;
    const begunAt = performance.now();
    try {
      return await turn();
    } finally {
      const pauseMs = Math.min(PAUSE * (performance.now() - begunAt), LONGEST_PAUSE_MS);
      void delay(pauseMs, undefined, { ref: false }).then(() => this.#pass());
    }
  }

  /** Passes the turn on to the next Workspace that waits. */
  #pass(): void {
    const next = this.#waiting.next(() => true);
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}

function isOf(one: FairnessKey, workspace: string, caller: string): boolean {
  return one.workspace === workspace && one.caller === caller;
}
