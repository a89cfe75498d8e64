import { setTimeout as pause } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts';
import { counts, gauge } from '@action-platform/telemetry';
import type { Dependencies } from '../dependencies.ts';
import { purgeDue } from './purge.ts';
import { initializeDriftCounter, recount } from './recount.ts';

const repaired = counts('quota.repairs');

/** The work of recovery in the background. */
export interface Recovering {
  /** Begins nothing further; resolves when what is under way is done. */
  stop(): Promise<void>;
}

/** How often to look for what crashed replicas have left, in milliseconds. */
const RECOVER_EVERY_MS = 10_000;
/**
 * How old a reservation in doubt must be before it is decided though no writer needs the room, in milliseconds: by then
 * the caller of the write has stopped waiting for it.
 */
const ABANDONED_AFTER_MS = 15_000;
/** How long a replica rests between two recounts, in milliseconds. */
const RECOUNT_EVERY_MS = 30_000;
/** A Workspace is not recounted in the background again before so many milliseconds. */
const RECOUNTED_FOR_MS = 24 * 60 * 60_000;

/**
 * Finishes what crashed replicas have left, now and from time to time, and recounts one Workspace after another.
 * Every replica does so: all of it is safe to do at the same time, and each step is safe to repeat.
 */
export function startRecovering(dependencies: Dependencies): Recovering {
  const stopping = new AbortController();
  let inDoubt = 0;
  gauge('quota.in_doubt', () => inDoubt);
  initializeDriftCounter();
  const recoverAll = async () => {
    inDoubt = await decideAbandoned(dependencies);
    await purgeDue(dependencies);
  };
  const recovering = repeat(recoverAll, RECOVER_EVERY_MS);
  void rest(RECOUNT_EVERY_MS).then(() => repeat(() => recountNext(dependencies), RECOUNT_EVERY_MS));
  return {
    stop: async () => {
      stopping.abort();
      // A recount may take long, and can be cut off anywhere.
      await recovering;
    },
  };

  async function repeat(task: () => Promise<void>, everyMs: number): Promise<void> {
    while (!stopping.signal.aborted) {
      await task().catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        dependencies.log.warn({ err: error }, 'work in the background failed; it is tried again later');
      });
      await rest(everyMs);
    }
  }

  /** Ends early when the replica stops. */
  function rest(milliseconds: number): Promise<void> {
    return pause(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
  }
}

/**
 * Decides what was reserved long ago. A Workspace of which that cannot be done keeps none of the others waiting.
 *
 * @returns how many there are of these: they stay in doubt until the next look.
 */
export async function decideAbandoned({ quota, log }: Dependencies): Promise<number> {
  const failures: unknown[] = [];
  for await (const workspaceId of quota.withReservationsOlderThan(ABANDONED_AFTER_MS)) {
    try {
      await quota.settleInDoubt(workspaceId, ABANDONED_AFTER_MS);
      repaired(1);
    } catch (error) {
      failures.push(error);
    }
  }
  const [err] = failures;
  if (err !== undefined) {
    log.warn({ err, workspaces: failures.length }, 'what Workspaces have reserved stays in doubt');
  }
  return failures.length;
}

async function recountNext(dependencies: Dependencies): Promise<void> {
  const workspaceId = await dependencies.usages.claimForRecount(RECOUNTED_FOR_MS);
  if (workspaceId !== undefined) await recount(dependencies, workspaceId, inBackground);
}
