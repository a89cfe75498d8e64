import { inColumns } from '../../report/columns.ts';
import type { Demand } from '../../report/finding.ts';
import type { FloodedRequest } from '../load/flood.ts';
import type { LoopReport, Stall } from '../measure/loop-report.ts';
import type { LoopsMeasured } from '../scenarios/event-loop.ts';
import { ms } from './figures.ts';

/** What the process is called that does nothing. */
const IDLE = 'idle';

const LONGEST_MS = 50;
const WORST = 12;

/**
 * What of a delay the thread worked. In the rest it waited for a processor, which other threads had, or the machine itself
 * stood still, as the process that does nothing shows.
 */
const ownMs = ({ delayMs, workedMs }: Stall) => Math.min(delayMs, workedMs);

/** No process may be held up for long by its own work. */
export function loopDemands({ mixed, apart }: LoopsMeasured): Demand[] {
  return Object.keys(mixed)
    .filter((name) => name !== IDLE)
    .map((name) => {
      const stalls = [...mixed[name]!.stalls, ...apart[name]!.stalls];
      const own = Math.max(0, ...stalls.map(ownMs));
      const all = Math.max(mixed[name]!.delayMs.p100, apart[name]!.delayMs.p100);
      return {
        what: `${name}: longest delay of the event loop`,
        demanded: `≤ ${ms(LONGEST_MS)} of its own work`,
        seen: `${ms(own)}; ${ms(all)} with the wait for a processor`,
        isMet: own <= LONGEST_MS,
      };
    });
}

/** What helps to judge that, and what did it. */
export function loopNotes({ mixed, requests, apart, requestsApart }: LoopsMeasured): string[] {
  return [
    `outcomes: ${JSON.stringify(outcomesOf([...requests, ...requestsApart]))}`,
    'delays of event loops, many kinds of requests at once:',
    ...loopTable(mixed),
    'the longest of them:',
    ...worst(mixed, requests),
    'what holds up which process for longest of its own, each kind of request by itself:',
    ...byLabel(apart, requestsApart),
  ];
}

function outcomesOf(requests: readonly FloodedRequest[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of requests) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function loopTable(reports: Readonly<Record<string, LoopReport>>): string[] {
  const rows = Object.entries(reports).map(([name, { delayMs, stalls, longestGcMs }]) => [
    name,
    ...[delayMs.p99, delayMs.p999, delayMs.p100].map(ms),
    ms(Math.max(0, ...stalls.map(ownMs))),
    ms(Math.max(0, ...stalls.map(({ waitedMs }) => waitedMs))),
    ms(longestGcMs),
  ]);
  return inColumns([
    ['process', 'p99', 'p99.9', 'p100', 'longest own', 'longest wait', 'longest GC'],
    ...rows,
  ]);
}

/** The longest delays, with the requests that were under way: as many as were sent at once. */
function worst(reports: Readonly<Record<string, LoopReport>>, requests: readonly FloodedRequest[]): string[] {
  const all = Object.entries(reports).flatMap(([name, { stalls }]) =>
    stalls.map((stall) => ({ name, stall })),
  );
  const longest = all.toSorted((a, b) => ownMs(b.stall) - ownMs(a.stall)).slice(0, WORST);
  return longest.map(({ name, stall }) => {
    const labels = requests.filter(({ from, to }) => from < stall.to && to > stall.from);
    const { delayMs, waitedMs, workedMs, gcMs } = stall;
    return `  ${name} ${ms(delayMs)} (worked ${ms(workedMs)}, waited ${ms(waitedMs)}, GC ${ms(gcMs)}): ${labels.map(({ label }) => label).join(' | ')}`;
  });
}

/** For each kind of request the longest delay that it caused in each process; a few milliseconds are not told. */
function byLabel(
  reports: Readonly<Record<string, LoopReport>>,
  requests: readonly FloodedRequest[],
): string[] {
  const found = new Map<string, number[]>();
  for (const [name, { stalls }] of Object.entries(reports)) {
    for (const stall of stalls) {
      const cause = requests.find(({ from, to }) => from < stall.to && to > stall.from);
      if (cause === undefined) continue;
      const key = `${name}: ${cause.label}`;
      found.set(key, [...(found.get(key) ?? []), ownMs(stall)]);
    }
  }
  return [...found]
    .map(([key, delays]) => ({ key, delays: delays.toSorted((a, b) => b - a) }))
    .toSorted((a, b) => b.delays[0]! - a.delays[0]!)
    .slice(0, 3 * WORST)
    .map(({ key, delays }) => `  ${key}: ${delays.slice(0, 5).map(ms).join(', ')}`);
}
