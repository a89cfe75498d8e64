import { setTimeout as delay } from 'node:timers/promises';
import { Batcher } from '@action-platform/batching';
import { ActionError, type MaximumCadence, type Timed } from '@action-platform/contracts';
import type { Collection } from 'mongodb';
import { RunLog } from './run-log.ts';
import type { StoredRun } from './stored-run.ts';
import { freeSlots } from './window.ts';

/*
 * How the runs of a routine grant are counted, exactly, on however many replicas.
 *
 * A maximum cadence allows so many distinct runs (`invocations`) in any stretch of time of a length (`periodSeconds`).
 * A run is named by its invocation id, and counts when its first call passes authority.
 *
 * Each grant has a run log: an entry for every run that was counted, in numbered slots, 1, 2, 3 … Two rules make it
 * exact.
 *
 *   The slots are taken in order.   (grant, seq) is unique, so of two replicas that take the same slot one fails. It reads
 *                                   the log again and tries the next one.
 *   The times never go down.        `at` is the time by the clock of the database, or that of the entry before when the
 *                                   clock was set back. So slot n is free once slot n − invocations has left the window,
 *                                   and comparing with that one entry stands for counting them all.
 *
 * To count runs, a replica reads which of them weigh in the window already (those pass, and are not counted again), the last
 * slot, and the entries whose leaving makes room. Then it inserts the runs that have room, in order, and stops at the
 * first slot that somebody else took. What it read may be old by then, and does no harm: every decision rests on the slots
 * below the one it takes, they never change, and the insert proves that nothing came after them. A run that two replicas
 * count at once is not counted twice, because the loser looks for it in the log again.
 *
 * What a crash leaves, and who mends it:
 *
 *   before the insert         Nothing. The call got no answer; the client repeats it.
 *   in the middle of it       The first runs are in the log, the others are not, and no slot is skipped, as the insert is
 *                             ordered. Those first runs count, although nobody was told. That is right: the repeated
 *                             call finds its run in the log and passes. At worst, of a run that is never repeated, one
 *                             slot is used up until it leaves the window.
 *   after it                  The same.
 *
 * So nothing has to be mended: there is no reservation to give back. The database deletes entries by itself an hour after
 * they left the window (TTL). It may delete any of them first: an entry that is missing left the window long ago, and when
 * all are gone the log begins anew with slot 1.
 *
 * In a process the runs of a grant go to the database one batch at a time, so a burst does not compete with itself; only
 * other replicas can take a slot away.
 */

const MAX_RUNS_TOGETHER = 500;
/** How often a replica tries again when another one took its slot. */
const MAX_ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 50;

/** A routine grant as far as its cadence is concerned. */
export interface CadenceOfGrant {
  readonly grantId: string;
  readonly cadence: MaximumCadence;
}

/** A run that wants to be counted. */
interface Run {
  readonly invocationId: string;
  readonly now: number;
}

/** Counts the runs of routine grants against their maximum cadence. */
export class Cadence {
  readonly #runs: Collection<StoredRun>;
  readonly #queues = new Map<string, { batcher: Batcher<Run, number>; callers: number }>();

  constructor(runs: Collection<StoredRun>) {
    this.#runs = runs;
  }

  /**
   * Counts a run; one that was counted within the window already is not counted again.
   *
   * @param now the time of the call by the clock of the database.
   * @returns 0, or when the cadence is used up the milliseconds until there is room.
   */
  async count(grant: CadenceOfGrant, invocationId: string, now: Date, timed: Timed): Promise<number> {
    const { grantId } = grant;
    const queue = this.#queues.get(grantId) ?? { batcher: this.#batcherFor(grant), callers: 0 };
    this.#queues.set(grantId, queue);
    queue.callers++;
    try {
      return await queue.batcher.submit({ invocationId, now: now.getTime() }, timed);
    } finally {
      queue.callers--;
      if (queue.callers === 0) this.#queues.delete(grantId);
    }
  }

  #batcherFor(grant: CadenceOfGrant): Batcher<Run, number> {
    return new Batcher('grants.runs', { maxItems: MAX_RUNS_TOGETHER }, async (runs, timed) => {
      const ids = new Set(runs.map(({ invocationId }) => invocationId));
      // All of these calls are still under way, so the latest of their times is right for each.
      const now = Math.max(...runs.map(({ now }) => now));
      const waits = await countRuns(new RunLog(this.#runs, grant, timed), grant, ids, now);
      return runs.map(({ invocationId }) => ({ value: waits.get(invocationId) ?? 0 }));
    });
  }
}

/**
 * Counts runs of one grant, in order, each at most once within the window.
 * Returns for every invocation id that could not be counted the milliseconds until one can.
 *
 * @param now milliseconds since the epoch, by the clock of the database.
 */
async function countRuns(
  log: RunLog,
  { cadence }: CadenceOfGrant,
  ids: ReadonlySet<string>,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  let open = ids.difference(await log.countedAmong(ids, now));
  for (let attempt = 1; open.size > 0; attempt++) {
    const head = await log.head();
    // Read after the head: a run that another replica counts from here on takes the slot that is tried below.
    const [counted, takenAt] = await Promise.all([
      log.countedAmong(open, now),
      log.takenBetween(head, cadence.invocations, open.size),
    ]);
    open = open.difference(counted);
    const { slots, waitMs } = freeSlots(cadence, head, takenAt, now, open.size);
    const inOrder = [...open];
    if (await log.take(slots, inOrder)) {
      return new Map(inOrder.slice(slots.length).map((id) => [id, waitMs]));
    }
    if (attempt === MAX_ATTEMPTS) throw new ActionError('action_platform_unavailable');
    await delay(Math.random() * Math.min(attempt * 5, LONGEST_PAUSE_MS));
  }
  return new Map();
}
