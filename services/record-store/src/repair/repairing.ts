import type { Logger } from '@action-platform/service-host';
import { ATTEMPT_OVER_AFTER_MS } from '../attempts/attempt.ts';
import { purgeAll } from '../records/purge.ts';
import type { RecordStore } from '../store.ts';

/** The repair pass that runs now and then. */
export interface Repairing {
  /** Starts no further pass; resolves when the one under way is done. */
  stop(): Promise<void>;
}

/**
 * Finishes what crashed replicas have left, now and from time to time. Every replica does so: it is safe to do at the
 * same time, and each step is safe to repeat.
 */
export function startRepairing(store: RecordStore, log: Logger): Repairing {
  const pass = () =>
    repair(store).catch((error: unknown) => {
      log.warn({ err: error }, 'the repair pass failed; the next one does its work');
    });
  let current = pass();
  const timer = setInterval(() => {
    current = current.then(pass);
  }, ATTEMPT_OVER_AFTER_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}

async function repair(store: RecordStore): Promise<void> {
  await store.quota.repair();
  await purgeAll(store);
}
