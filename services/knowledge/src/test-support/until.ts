import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;
const GIVE_UP_MS = 20_000;

/** Polls `look` until its result is as wanted, and returns it. Throws with the last result after a time limit. */
export async function until<Seen>(
  look: () => Promise<Seen>,
  isWanted: (seen: Seen) => boolean,
): Promise<Seen> {
  const end = performance.now() + GIVE_UP_MS;
  for (;;) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    if (performance.now() > end) throw new Error(`never came about; last seen: ${JSON.stringify(seen)}`);
    await sleep(POLL_MS);
  }
}
