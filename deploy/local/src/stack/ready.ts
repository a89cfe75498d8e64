import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const POLL_MS = 50;

/** Waits until every gateway says that it and all it depends on are ready. */
export async function untilReady(gateways: readonly string[], logs: string): Promise<void> {
  const patience = performance.now() + PATIENCE_MS;
  for (const gateway of gateways) {
    while (!(await isReady(gateway))) {
      if (performance.now() > patience) {
        throw new Error(
          `The platform did not become ready within ${PATIENCE_MS / 1000} s: read the logs in ${logs}.`,
        );
      }
      await delay(POLL_MS);
    }
  }
}

async function isReady(gateway: string): Promise<boolean> {
  try {
    const response = await fetch(`${gateway}/readyz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
