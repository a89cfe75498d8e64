import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@action-platform/local-servers';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** Checks that the ports of the gateways are free; the error names the first port in use and the remedy. */
export async function requireFree(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    if ((await freePort(port)) !== port) {
      throw new Error(`Port ${port} of 127.0.0.1 is in use: stop its process, or set PORT to another.`);
    }
  }
}

/** Waits until every gateway reports that it and its dependencies are ready. */
export async function untilReady(gateways: readonly string[], logs: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (const gateway of gateways) {
    while (!(await isReady(gateway))) {
      if (performance.now() > deadline) {
        throw new Error(
          `The platform did not become ready within ${READY_TIMEOUT_MS / 1000} s: read the logs in ${logs}.`,
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
