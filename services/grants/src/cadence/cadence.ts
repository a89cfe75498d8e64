import { Batcher } from '@action-platform/batching';
import type { Collection } from 'mongodb';
import { type CadenceOfGrant, countRuns } from './count-runs.ts';
import type { Invocation } from './invocation.ts';

const MAX_RUNS = 500;

/** A run that wants to be counted. */
interface Run {
  readonly invocationId: string;
  readonly now: number;
}

/** Counts the runs of routine grants against their maximum cadence, exactly, together with all other replicas. */
export class Cadence {
  readonly #invocations: Collection<Invocation>;
  readonly #queues = new Map<string, { batcher: Batcher<Run, number>; callers: number }>();

  constructor(invocations: Collection<Invocation>) {
    this.#invocations = invocations;
  }

  /**
   * Counts a run; one that was counted within the window already is not counted again. What arrives for
   * the same grant meanwhile is counted together next, so a burst does not compete with itself.
   *
   * @param now the time of the call by the clock of the database.
   * @returns 0, or when the cadence is used up the milliseconds until there is room.
   */
  async count(grant: CadenceOfGrant, invocationId: string, now: Date): Promise<number> {
    const { grantId } = grant;
    const queue = this.#queues.get(grantId) ?? { batcher: this.#batcherFor(grant), callers: 0 };
    this.#queues.set(grantId, queue);
    queue.callers++;
    try {
      return await queue.batcher.submit({ invocationId, now: now.getTime() });
    } finally {
      queue.callers--;
      if (queue.callers === 0) this.#queues.delete(grantId);
    }
  }

  #batcherFor(grant: CadenceOfGrant): Batcher<Run, number> {
    return new Batcher('grants.runs', { maxItems: MAX_RUNS }, async (runs) => {
      const ids = new Set(runs.map(({ invocationId }) => invocationId));
      // All of these calls are still under way, so the latest of their times is right for each.
      const now = Math.max(...runs.map(({ now }) => now));
      const waits = await countRuns(this.#invocations, grant, ids, now);
      return runs.map(({ invocationId }) => ({ value: waits.get(invocationId) ?? 0 }));
    });
  }
}
