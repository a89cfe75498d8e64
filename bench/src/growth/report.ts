import type { Measurement } from '../measure/measurement.ts';
import type { Demand, Finding } from '../report/finding.ts';
import { type Spread, spread } from '../report/summary.ts';
import { CLIENTS, type Compared, perSecond } from './compare.ts';
import type { Side } from './side.ts';

const DEMANDED = { throughput: 0.8, memory: 1.5 };
/** They belong to both sides, and mongod keeps in its cache what is stored. */
const SHARED = new Set(['mongod', 'nats-server', 'load generator']);

/** What came of a scenario: a demand for each comparison, and that no process needs more memory for what has grown. */
export function findingOf(all: readonly Compared[]): Finding {
  return {
    demands: [...all.map(throughputDemand), memoryDemand(all)],
    notes: all.flatMap(notesOf),
    measured: all.map(({ what, rounds }) => ({ what, rounds })),
  };
}

function throughputDemand(compared: Compared): Demand {
  const errors = compared.rounds.reduce(
    (sum, { before, after }) => sum + before.load.errors + after.load.errors,
    0,
  );
  const ratio = ratioOf(compared);
  return {
    what: compared.what,
    demanded: `≥ ${DEMANDED.throughput} × as fast`,
    seen: `${spreadText(ratio)}${errors === 0 ? '' : `, ${errors} calls failed`}`,
    isMet: ratio.median >= DEMANDED.throughput && errors === 0,
  };
}

function ratioOf({ before, after, rounds }: Compared): Spread {
  const units = (after.perCall ?? 1) / (before.perCall ?? 1);
  return spread(rounds.map((round) => (perSecond(round.after) / perSecond(round.before)) * units));
}

function spreadText({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
}

/** The most that each process ever had. V8 decides when to give memory back, so a process alone differs from itself by a third. */
function memoryDemand(all: readonly Compared[]): Demand {
  const measured = all.flatMap(({ rounds }) => rounds.flatMap(({ before, after }) => [before, after]));
  const most = (side: Side['name'], process: string) =>
    Math.max(
      ...measured.filter(({ contender }) => contender === side).map(({ memoryMB }) => memoryMB[process]!),
    );
  const sizes = Object.keys(measured[0]!.memoryMB)
    .filter((name) => !SHARED.has(name))
    .map((name) => ({ name, small: most('small', name), grown: most('grown', name) }));
  const worst = sizes.toSorted((a, b) => b.grown / b.small - a.grown / a.small)[0]!;
  return {
    what: 'memory of every process',
    demanded: `≤ ${DEMANDED.memory} × that of the small one`,
    seen: `${(worst.grown / worst.small).toFixed(2)} × at most: ${worst.name}, ${worst.grown.toFixed(0)} MB`,
    isMet: worst.grown / worst.small <= DEMANDED.memory,
  };
}

function notesOf({ what, clients = CLIENTS, rounds }: Compared): string[] {
  const side = (name: 'before' | 'after') => {
    const measured = rounds.map((round) => round[name]);
    return `${middle(measured, perSecond).toFixed(0)}/s, p99 ${middle(measured, p99).toFixed(1)} ms, CPU per call ${cpuText(measured)}`;
  };
  return [
    `${what} (${clients} clients)`,
    `  before: ${side('before')}`,
    `  after:  ${side('after')}`,
    ...rounds
      .flatMap(({ before, after }) => [before.load.firstError, after.load.firstError])
      .filter((error) => error !== undefined),
  ];
}

const p99 = ({ load }: Measurement) => load.latencyMs.p99;

function middle(measured: readonly Measurement[], value: (measurement: Measurement) => number): number {
  return spread(measured.map(value)).median;
}

/** What a call costs each process that takes part in it, in microseconds, and its round trips to mongod. */
function cpuText(measured: readonly Measurement[]): string {
  const calls = measured.reduce((sum, { load }) => sum + load.calls, 0);
  const cost = (name: string) =>
    (measured.reduce((sum, { cost }) => sum + (cost.cpuSeconds[name] ?? 0), 0) / calls) * 1e6;
  const names = Object.keys(measured[0]!.cost.cpuSeconds).filter((name) => name !== 'load generator');
  const shares = names.filter((name) => cost(name) >= 1).map((name) => `${name} ${cost(name).toFixed(0)} µs`);
  const trips = measured.reduce((sum, { cost }) => sum + cost.roundTrips, 0) / calls;
  return `${shares.join(', ')}; ${trips.toFixed(2)} round trips`;
}
