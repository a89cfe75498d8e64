import { setTimeout as delay } from 'node:timers/promises';
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { Batcher } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import { type FullWindow, NAMED_RUNS } from './full-window.ts';
import { type CadenceOfGrant, RunLog } from './run-log.ts';
import type { StoredRun } from './stored-run.ts';
import { nextEntries } from './window.ts';

/*
 * Counts the runs of routine grants against their maximum cadence, exactly, on any number of replicas.
 *
 * A maximum cadence allows `invocations` distinct runs in any stretch of `periodSeconds`. The invocation id names a run. A
 * run counts when its first call passes authority.
 *
 * Each grant has a run log: one entry per counted run, numbered 1, 2, 3 … Two invariants make the count exact.
 *
 *   Numbers have no gap.      (grant, seq) is unique, so of two replicas that append the same number one fails. That
 *                             replica reads the log again and tries the next number.
 *   Times never decrease.     `at` is the time of the database, or that of the previous entry when the clock was set back.
 *                             So run n may be counted once run n − invocations has left the window, and one comparison
 *                             replaces counting the entries.
 *
 * To count runs, a replica reads the runs that the window already holds (they pass and are not counted again), the last
 * entry, and the entries that must leave the window to make room. The replica appends the runs that have room, in order,
 * and stops at the first number that another replica has taken. A stale read does no harm: every decision depends on
 * entries below the appended number, entries never change, and the insert proves that no entry was appended in between.
 * Two replicas count no run twice, because a replica whose insert fails looks for its runs in the log again.
 *
 * A crash leaves nothing to repair, because nothing is reserved:
 *
 *   before the insert         No entry. The client repeats its call.
 *   during or after it        The first entries, without a gap, as the insert is ordered. These runs count although their
 *                             callers got no answer: a repeated call finds its run in the log and passes.
 *
 * The database deletes entries an hour after they left the window (TTL), in any order. A missing entry has left the
 * window. When all entries are deleted, the numbers begin at 1 again. A replica keeps the entry whose number it goes on from, if
 * that may be deleted soon.
 *
 * A process writes the runs of a grant one batch at a time, so only other replicas can take a number first.
 */

const MAX_RUNS_TOGETHER = 500;
/** The most attempts of a replica while other replicas take its numbers. */
const MAX_ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 50;

/** A run to be counted. */
interface Run {
  readonly invocationId: string;
  readonly now: number;
}

/** Counts the runs of routine grants against their maximum cadence. */
export class Cadence {
  readonly #runs: Collection<StoredRun>;
  readonly #queues = new Map<string, { batcher: Batcher<Run, FullWindow | undefined>; callers: number }>();

  constructor(runs: Collection<StoredRun>) {
    this.#runs = runs;
  }

  /**
   * Counts a run, unless the window holds it already.
   *
   * @param now the time of the call by the clock of the database.
   * @returns undefined when the run may execute, otherwise the window without room for it.
   */
  async count(
    grant: CadenceOfGrant,
    invocationId: string,
    now: Date,
    timed: Timed,
  ): Promise<FullWindow | undefined> {
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

  #batcherFor(grant: CadenceOfGrant): Batcher<Run, FullWindow | undefined> {
    return new Batcher('grants.runs', { maxItems: MAX_RUNS_TOGETHER }, async (runs, timed) => {
      const ids = new Set(runs.map(({ invocationId }) => invocationId));
      // Every call of the batch is still in progress, so the latest of their times is right for all.
      const now = Math.max(...runs.map(({ now }) => now));
      const refused = await countRuns(new RunLog(this.#runs, grant, timed), grant, ids, now);
      return runs.map(({ invocationId }) => ({ value: refused.get(invocationId) }));
    });
  }
}

/**
 * Counts runs of one grant, in order, each at most once within the window.
 *
 * @param now milliseconds since the epoch, by the clock of the database.
 * @returns for each refused invocation id, the window without room for it.
 */
async function countRuns(
  log: RunLog,
  { cadence }: CadenceOfGrant,
  ids: ReadonlySet<string>,
  now: number,
): Promise<ReadonlyMap<string, FullWindow>> {
  let open = ids.difference(await log.countedAmong(ids, now));
  for (let attempt = 1; open.size > 0; attempt++) {
    if (attempt > MAX_ATTEMPTS) throw new ActionError('action_platform_unavailable');
    const last = await log.last();
    if (!(await log.keep(last, now))) continue;
    // These reads follow the read of the last entry: a run that another replica counts meanwhile takes the number tried below.
    const [counted, countedAt] = await Promise.all([
      log.countedAmong(open, now),
      log.leaving(last, cadence.invocations, open.size),
    ]);
    open = open.difference(counted);
    const { entries, waitMs } = nextEntries(cadence, last, countedAt, now, open.size);
    const inOrder = [...open];
    if (await log.append(entries, inOrder)) {
      const refused = inOrder.slice(entries.length);
      if (refused.length === 0) break;
      // The window is full: it has the last `invocations` entries.
      const first = (last?.seq ?? 0) + entries.length + 1 - cadence.invocations;
      const window = { waitMs, leavingFirst: await log.countedFrom(first, NAMED_RUNS) };
      return new Map(refused.map((id) => [id, window]));
    }
    await delay(Math.random() * Math.min(attempt * 5, LONGEST_PAUSE_MS));
  }
  return new Map();
}
