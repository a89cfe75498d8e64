/** Holds hostile sockets, a process of its own. */
import { setTimeout as delay } from 'node:timers/promises';
import { serveJobs } from '../../environment/worker.ts';
import type { Attack, AttackJob, AttackResult } from './attack.ts';
import { Held } from './held-sockets.ts';
import { hostileKinds } from './kinds.ts';

const STEP_MS = 50;
const NUDGE_EVERY_MS = 2_000;
/** The longest wait until an attack counts as begun, however few sockets are open. */
const RAMP_MS = 30_000;

let underWay: { readonly end: () => Promise<AttackResult> } | undefined;

serveJobs(async (job: AttackJob): Promise<AttackResult | undefined> => {
  if ('begin' in job) underWay = await begin(job.begin);
  else return await underWay!.end();
  return undefined;
});

/** Resolves when every socket was opened once, or should have been. */
async function begin(attack: Attack): Promise<{ readonly end: () => Promise<AttackResult> }> {
  const held = hostileKinds.map((kind) => ({ name: kind.name, sockets: new Held(kind, attack) }));
  const all = held.map(({ sockets }) => sockets);
  let isOver = false;
  const work = keepOpen(all, attack, () => isOver);
  const ramped = performance.now() + RAMP_MS;
  while (all.some(({ opened }) => opened < attack.socketsOfEachKind) && performance.now() < ramped) {
    await delay(STEP_MS);
  }
  const nudging = setInterval(() => {
    for (const sockets of all) sockets.nudge();
  }, NUDGE_EVERY_MS);
  const looking = setInterval(() => {
    for (const sockets of all) sockets.look();
  }, 1000);
  const cpu = process.cpuUsage();
  const begun = performance.now();
  return {
    end: async () => {
      isOver = true;
      clearInterval(nudging);
      clearInterval(looking);
      const { user, system } = process.cpuUsage(cpu);
      const seconds = (performance.now() - begun) / 1000;
      await work;
      const kinds = Object.fromEntries(held.map(({ name, sockets }) => [name, sockets.end()]));
      return { kinds, cpu: (user + system) / 1e6 / seconds };
    },
  };
}

/** Opens missing sockets of each kind in turn, within the rate limit. */
async function keepOpen(
  all: readonly Held[],
  { connectsPerSecond }: Attack,
  isOver: () => boolean,
): Promise<void> {
  let turn = 0;
  while (!isOver()) {
    for (let room = (connectsPerSecond * STEP_MS) / 1000; room > 0; room--) {
      const missing = all.filter(({ isComplete }) => !isComplete);
      if (missing.length === 0) break;
      missing[turn++ % missing.length]!.openOne();
    }
    await delay(STEP_MS);
  }
}
