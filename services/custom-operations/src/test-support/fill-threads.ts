import { setTimeout as delay } from 'node:timers/promises';
import { ExactJson, fingerprintOf } from '@action-platform/json';

/** More than may wait for the threads. */
const TEXTS = 60;

/** Keeps the threads for large JSON texts of this process busy, and their queue full, until the result is called. */
export async function fillThreads(): Promise<() => Promise<void>> {
  const text = new ExactJson(JSON.stringify('é'.repeat(50_000)));
  let [isQueueFull, isReleased] = [false, false];
  const takePlace = async (workspace: string) => {
    while (!isReleased) await fingerprintOf(text, '', { fairnessKey: { workspace, caller: '' } });
  };
  // Texts of one Workspace would leave places for those of others.
  const places = Array.from({ length: TEXTS }, (_, n) =>
    takePlace(String(n)).catch(() => {
      isQueueFull = true;
    }),
  );
  while (!isQueueFull) await delay(1);
  return async () => {
    isReleased = true;
    await Promise.all(places);
  };
}
