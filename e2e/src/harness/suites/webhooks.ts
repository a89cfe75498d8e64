import { setTimeout as delay } from 'node:timers/promises';
import { residentMib } from '@action-platform/local-servers';
import { LocalPlatform, twoOf } from '../../local-platform.ts';
import { say } from '../../on-a-stack.ts';
import { checkAtMostOnce } from '../checkers/at-most-once.ts';
import { checkDeliveries, checkSignatures } from '../checkers/deliveries.ts';
import { checkRefusals } from '../checkers/refusals.ts';
import { loseJetStream } from '../faults/jetstream.ts';
import { kill, killAtRandom, victims } from '../faults/processes.ts';
import { type Running, underLoad } from '../run.ts';
import { Endpoints } from './endpoints.ts';

const ROTATIONS = 3;
const LOSSES = 2;
/** The pause of the load between two rotations, and after JetStream lost its storage, in milliseconds. */
const STEP_MS = 5_000;
/**
 * The most that the median of the good endpoints may grow by beside the bad ones, by this factor or so many milliseconds. Most of the
 * median is the wait for the next of the batches in which the changes of a service are published, 200 ms apart.
 */
const MOST_GROWTH = 1.2;
const MOST_GROWTH_MS = 40;
/** How long the load runs before a measurement, in milliseconds. */
const WARM_UP_MS = 15_000;
/** The most memory of events, and by what it may grow in the second half. */
const MOST_MIB = 384;
const MOST_MEMORY_GROWTH = 1.2;

type Sending = Running<LocalPlatform, Endpoints>;

/** Webhooks arrive through rotations, beside endpoints that misbehave, and through killed processes and lost storage. */
export const webhooks = underLoad<LocalPlatform, Endpoints>({
  options: {
    endpoints: ['1000', 'of which a fifth misbehaves'],
    seconds: ['60', 'of the measurements without those and beside them; 0 leaves them out'],
    kills: ['120', 'seconds of writes while every process is killed'],
  },
  platform: () => new LocalPlatform(twoOf('events'), { WORKSPACE_WEBHOOK_ENDPOINTS_MAX: '2000' }),
  prepare: (fixture, { endpoints }) => Endpoints.create(fixture, Number(endpoints)),
  workload: () => ({ clients: 4, weights: { push: 1, patch: 2 }, onRecent: true, restMs: 1_000 }),
  cause: async (running) => {
    const { platform, witness: endpoints, load, options } = running;
    for (let rotation = 1; rotation <= ROTATIONS; rotation++) {
      await delay(STEP_MS);
      await endpoints.rotate();
      kill(platform.pids('services/events').slice(rotation % 2, (rotation % 2) + 1));
    }
    await delay(STEP_MS);
    await platform.ready();
    const found = await besideBad(running, Number(options.seconds));
    const end = performance.now() + Number(options.kills) * 1000;
    await killAtRandom(platform, {
      ...{ among: victims, seed: Number(options.seed) },
      isEnough: () => performance.now() > end,
    });
    for (let loss = 0; loss < LOSSES; loss++) {
      await load.stop();
      await endpoints.arrived();
      loseJetStream(platform);
      load.start();
      await delay(STEP_MS);
    }
    await load.stop();
    await endpoints.arrived();
    return found;
  },
  checkers: () => [checkDeliveries, checkSignatures, checkAtMostOnce, checkRefusals()],
});

/** Adds the endpoints that misbehave. @returns how they delay the others, or fill the memory of events, a line each */
async function besideBad({ platform, witness: endpoints }: Sending, seconds: number): Promise<string[]> {
  const measure = async () => {
    await delay(WARM_UP_MS);
    return await endpoints.lagsDuring(seconds);
  };
  const alone = seconds > 0 ? await measure() : undefined;
  await endpoints.addBad();
  if (alone === undefined) return [];
  const memory = watchMemory(platform);
  const beside = await measure();
  const { early, late, most } = memory();
  say(
    `p50 ${alone.p50} ms, p95 ${alone.p95} ms; beside endpoints that misbehave ${beside.p50}, ${beside.p95} ms`,
  );
  const mib = [early, late, most].map((each) => each.toFixed());
  say(`memory of events: ${mib[0]} MiB in the first half, ${mib[1]} in the second, at most ${mib[2]}`);
  return [
    ...(Number.isFinite(alone.p50) ? [] : ['half of the webhooks did not arrive in time']),
    ...(beside.p50 > Math.max(alone.p50 * MOST_GROWTH, alone.p50 + MOST_GROWTH_MS)
      ? ['endpoints that misbehave delay the others']
      : []),
    ...(most > MOST_MIB ? [`events took ${mib[2]} MiB`] : []),
    ...(late > early * MOST_MEMORY_GROWTH ? ['the memory of events grows'] : []),
  ];
}

/** Watches how much memory the processes of events take, in MiB; the returned function ends that. */
function watchMemory(platform: LocalPlatform): () => { early: number; late: number; most: number } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    samples.push(Math.max(...platform.pids('services/events').map(residentMib)));
  }, 2_000);
  return () => {
    clearInterval(timer);
    const half = Math.ceil(samples.length / 2);
    const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
    return {
      early: mean(samples.slice(0, half)),
      late: mean(samples.slice(half)),
      most: Math.max(...samples),
    };
  };
}
