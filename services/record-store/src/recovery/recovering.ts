import { setTimeout as pause } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts/calls';
import { failureLevel, isDefect } from '@action-platform/contracts/errors';
import { counts, gauge } from '@action-platform/telemetry';
import type { Dependencies } from '../dependencies.ts';
import { purgeDue } from './purge.ts';
import { initializeDriftCounter, recount } from './recount.ts';

const repaired = counts('quota.repairs');

/** Recovery and recounts in the background. */
export interface Recovering {
  /** Begins no further work; resolves when the recovery in progress is done. */
  stop(): Promise<void>;
}

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
export function startRecovering(dependencies: Dependencies): Recovering {
  const stopping = new AbortController();
  let inDoubt = 0;
  gauge('quota.in_doubt', () => inDoubt);
  initializeDriftCounter();
  const deciding = repeat(async () => {
    inDoubt = await decideAbandoned(dependencies);
  }, RECOVER_EVERY_MS);
  const purging = repeat(() => purgeDue(dependencies), RECOVER_EVERY_MS);
  void waitFor(RECOUNT_EVERY_MS).then(() => repeat(() => recountNext(dependencies), RECOUNT_EVERY_MS));
  return {
    stop: async () => {
      stopping.abort();
      // A recount may take long, and can be interrupted anywhere, so stop() does not wait for it.
      await Promise.all([deciding, purging]);
    },
  };

  async function repeat(task: () => Promise<void>, everyMs: number): Promise<void> {
    while (!stopping.signal.aborted) {
      await task().catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        dependencies.log[failureLevel(error)](
          { err: error },
          'background work failed; the replica will try again',
        );
      });
      await waitFor(everyMs);
    }
  }

  /** Ends early when the replica stops. */
  function waitFor(milliseconds: number): Promise<void> {
    return pause(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
  }
}

/**
 * Decides abandoned reservations. A failure in one Workspace does not delay the others.
 *
 * @returns the number of Workspaces in which this failed; their reservations stay in doubt until the next run.
 */
export async function decideAbandoned({ quota, log }: Dependencies): Promise<number> {
  const failures: { readonly err: unknown; readonly workspaceId: string }[] = [];
  for await (const workspaceId of quota.withReservationsOlderThan(ABANDONED_AFTER_MS)) {
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
