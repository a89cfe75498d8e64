import { setTimeout as delay } from 'node:timers/promises';
import type { NodeProcess } from './node-process.ts';

const PATIENCE_MS = 60_000;
const POLL_MS = 50;

/** Waits until a GET of this address answers 200; rejects when one of the processes behind it ends. */
export async function untilAnswering(url: string, processes: readonly NodeProcess[]): Promise<void> {
  await Promise.race([poll(url), ...processes.map(({ failed }) => failed)]);
}

async function poll(url: string): Promise<void> {
  const patience = performance.now() + PATIENCE_MS;
  while (!(await answers(url))) {
    if (performance.now() > patience) {
      throw new Error(`${url} does not answer after ${PATIENCE_MS / 1000} s: read the logs.`);
    }
    await delay(POLL_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
