import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../contenders/contender.ts';
import type { Platform } from '../contenders/platform.ts';
import { type Load, type LoadResult, startLoadGenerator } from '../load/load.ts';
import { measure } from '../measure/measure.ts';
import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import { tell } from '../output.ts';
import type { Uses } from '../process/watch.ts';
import type { Findings } from '../run-command.ts';
import { loadText, newCallers, ordinaryCalls, usesText } from './callers.ts';

const REQUIRED = { slower: 3, growth: 1.1, quietPercent: 99, goodput: 0.5 };
const RECOVERY_MS = 5000;
const CLIENTS = 64;
const GREEDY_MEMBERS = 4;
/**
 * Enough that a call seldom waits for a connection: more than a gateway has in flight, and fewer than its limit. The connections are open
 * before the overload; `hostile-sockets` measures very many new connections at once.
 */
const CONNECTIONS = 1500;
const TIMES_CAPACITY = 3;
const QUIET = { perSecond: 20, connections: 40 };
/** mongod caches the data, up to a limit. */
const GROWS_WITH_DATA = 'mongod';

/** More calls of one Workspace than the platform can do, while another makes a few. */
export async function overload(
  platform: Platform,
  { seconds }: { readonly seconds: number },
  { stops }: Bench,
): Promise<Findings> {
  const { origin } = platform;
  const requests = await ordinaryCalls(...(await newCallers(platform, GREEDY_MEMBERS)));
  const quietRequests = await ordinaryCalls(...(await newCallers(platform, 1)));
  const quietLoad = { origin, requests: quietRequests, ...QUIET };
  const generator = startLoadGenerator(stops);
  const quietly = startLoadGenerator(stops);

  const short = seconds / 4;
  const closed: Load = { origin, requests, connections: CLIENTS, seconds: short };
  await generator(closed);
  const quietAlone = await quietly({ ...quietLoad, seconds: short });
  const capacity = await generator(closed);
  const perSecond = capacity.calls / capacity.seconds;
  const open = (share: number, length: number): Load => {
    return { origin, requests, perSecond: perSecond * share, seconds: length, connections: CONNECTIONS };
  };
  const tenth = await generator(open(0.1, short));
  const half = await generator(open(0.5, short));

  tell(`  capacity is ${perSecond.toFixed(0)} calls/s; ${TIMES_CAPACITY} times that …`);
  const [overloaded, quietMeanwhile] = await Promise.all([
    measure(platform, open(TIMES_CAPACITY, seconds), generator),
    quietly({ ...quietLoad, seconds }),
  ]);
  await delay(RECOVERY_MS);
  const quietAfter = await quietly({ ...quietLoad, seconds: short });

  const loads = {
    capacity,
    tenth,
    half,
    overloaded: overloaded.load,
    quietAlone,
    quietMeanwhile,
    quietAfter,
  };
  const requirements = [
    ...overloadRequirements(overloaded.load, perSecond, { tenth, half, 'the closed loop': capacity }),
    ...quietRequirements(quietAlone, quietMeanwhile, quietAfter),
    memoryRequirement(overloaded.uses),
  ];
  const lines = Object.entries(loads).map(([name, result]) => loadText(name, result));
  lines.push(usesText('overloaded', overloaded.uses, seconds));
  return { requirements, text: lines.join('\n'), measured: { ...loads, uses: overloaded.uses } };
}

/**
 * The requirements on the overloaded Workspace. A platform that refuses every call has no slow one.
 *
 * @param capacity the calls that succeed in a second of a closed loop
 */
export function overloadRequirements(
  { ms, others, calls, seconds }: LoadResult,
  capacity: number,
  loads: Readonly<Record<string, LoadResult>>,
): Requirement[] {
  const slower = Object.entries(loads).map(([name, unloaded]) => {
    const ratio = ms.p99 / unloaded.ms.p99;
    return atMost(`p99 of accepted calls, beside ${name}`, REQUIRED.slower, ratio, '×', msText(ms.p99));
  });
  const other = Object.values(others).reduce((total, count) => total + count, 0);
  const detail = other === 0 ? '' : JSON.stringify(others);
  const goodput = calls / seconds;
  const accepted = atLeast(
    'accepted calls, beside the capacity',
    REQUIRED.goodput,
    goodput / capacity,
    '×',
    `(${goodput.toFixed(0)} calls/s)`,
  );
  return [
    ...slower,
    accepted,
    atMost('answers other than 200, and 503 with Retry-After', 0, other, '', detail),
  ];
}

function quietRequirements(alone: LoadResult, meanwhile: LoadResult, after: LoadResult): Requirement[] {
  const succeed = (what: string, limit: number, { calls, attempts }: LoadResult) =>
    atLeast(`${what}: calls that succeed`, limit, (100 * calls) / attempts, '%', `of ${attempts}`);
  const then = `the same ${RECOVERY_MS / 1000} s after the overload`;
  const ratio = after.ms.p50 / alone.ms.p99;
  return [
    succeed('the quiet Workspace', REQUIRED.quietPercent, meanwhile),
    succeed(then, 100, after),
    atMost(`${then}: median`, REQUIRED.slower, ratio, '× its p99 undisturbed', msText(after.ms.p50)),
  ];
}

export function memoryRequirement(uses: Uses): Requirement {
  const growing = Object.entries(uses).filter(([name]) => name !== GROWS_WITH_DATA);
  const [fastest, { growth }] = growing.toSorted(([, a], [, b]) => b.growth - a.growth)[0]!;
  const what = 'memory of each process in the last third of the overload';
  return atMost(what, REQUIRED.growth, growth, '× the middle third', `(${fastest})`);
}

const msText = (value: number) => `(${value.toFixed(1)} ms)`;
