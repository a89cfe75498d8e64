import { inBackground } from '@action-platform/contracts/calls';
import { failureLevel, isDefect } from '@action-platform/contracts/errors';
import { type Rounds, startRounds } from '@action-platform/mongo';
import { counts, gauge } from '@action-platform/telemetry';
import type { Dependencies } from '../dependencies.ts';
import { purgeDue } from './purge.ts';
import { initializeDriftCounter, recount } from './recount.ts';

const repaired = counts('quota.repairs');

/** The interval between two searches for the traces of crashed replicas, in milliseconds. */
const RECOVER_EVERY_MS = 10_000;
/**
 * The age at which recovery decides a reservation in doubt though no writer needs the room, in milliseconds. By then the
 * caller of the write has stopped waiting.
 */
const ABANDONED_AFTER_MS = 15_000;
/** The pause of a replica between two recounts, in milliseconds. */
const RECOUNT_EVERY_MS = 30_000;
/** How many Workspaces a warning names. */
const NAMED_MAX = 20;
/** The least time between two recounts of a Workspace in the background, in milliseconds. */
const RECOUNTED_FOR_MS = 24 * 60 * 60_000;

/**
 * Finishes the writes of crashed replicas, now and at intervals, and recounts one Workspace after another. Every replica
 * runs this: the steps are safe to run concurrently and to repeat.
 */
export function startRecovering(dependencies: Dependencies): Rounds {
  let inDoubt = 0;
  gauge('quota.in_doubt', () => inDoubt);
  initializeDriftCounter();
  const every = (pauseMs: number) => {
    const failure = 'background work failed; the replica will try again';
    return { pauseMs, failure, log: dependencies.log };
  };
  const deciding = startRounds(async (signal) => {
    inDoubt = await decideAbandoned(dependencies, signal);
  }, every(RECOVER_EVERY_MS));
  const purging = startRounds((signal) => purgeDue(dependencies, signal), every(RECOVER_EVERY_MS));
  const recounts = { ...every(RECOUNT_EVERY_MS), isDelayed: true };
  const recounting = startRounds(() => recountNext(dependencies), recounts);
  return {
    stop: async () => {
      // A recount may take long, and can be interrupted anywhere, so stop() does not wait for it.
      void recounting.stop();
      await Promise.all([deciding.stop(), purging.stop()]);
    },
  };
}

/**
 * Decides abandoned reservations until the signal aborts. A failure in one Workspace does not delay the others.
 *
 * @returns the number of Workspaces in which this failed; their reservations stay in doubt until the next run.
 */
export async function decideAbandoned({ quota, log }: Dependencies, signal: AbortSignal): Promise<number> {
  const failures: { readonly err: unknown; readonly workspaceId: string }[] = [];
  for (const workspaceId of await quota.withReservationsOlderThan(ABANDONED_AFTER_MS)) {
    if (signal.aborted) break;
    try {
      await quota.settleInDoubt(workspaceId, ABANDONED_AFTER_MS);
      repaired(1);
    } catch (err) {
      failures.push({ err, workspaceId });
    }
  }
  const workspaceIds = failures.slice(0, NAMED_MAX).map(({ workspaceId }) => workspaceId);
  if (failures.length > 0) {
    const found = { err: failures[0]!.err, workspaces: failures.length, workspaceIds };
    log[failures.some(({ err }) => isDefect(err)) ? 'error' : 'warn'](
      found,
      'deciding reservations failed; they stay in doubt',
    );
  }
  return failures.length;
}

async function recountNext(dependencies: Dependencies): Promise<void> {
  const workspaceId = await dependencies.usages.claimForRecount(RECOUNTED_FOR_MS);
  if (workspaceId === undefined) return;
  await recount(dependencies, workspaceId, inBackground).catch((err: unknown) => {
    dependencies.log[failureLevel(err)](
      { err, workspaceId },
      'recounting a Workspace failed; it is due again after a day',
    );
  });
}
