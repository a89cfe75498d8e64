import type { Measurement } from '../measure/measurement.ts';
import type { Finding, Requirement } from '../report/finding.ts';
import { type Spread, spread } from '../report/summary.ts';
import { CLIENTS, type Compared, perSecond } from './compare.ts';
import type { Side } from './side.ts';

const REQUIRED = { throughput: 0.8, memory: 1.5 };
/** Both sides share them, and mongod caches the stored data. */
const SHARED = new Set(['mongod', 'nats-server', 'load generator']);

/** The finding of a scenario: a requirement for each comparison, and one for the memory of the processes. */
export function findingOf(all: readonly Compared[]): Finding {
  return {
    requirements: [...all.map(throughputRequirement), memoryRequirement(all)],
    notes: all.flatMap(notesOf),
    measured: all.map(({ what, rounds }) => ({ what, rounds })),
  };
}

function throughputRequirement(compared: Compared): Requirement {
  const errors = compared.rounds.reduce(
    (sum, { before, after }) => sum + before.load.errors + after.load.errors,
    0,
  );
  const ratio = ratioOf(compared);
  return {
    what: compared.what,
    required: `≥ ${REQUIRED.throughput} × as fast`,
    seen: `${spreadText(ratio)}${errors === 0 ? '' : `, ${errors} calls failed`}`,
    isMet: ratio.median >= REQUIRED.throughput && errors === 0,
  };
}

function ratioOf({ before, after, rounds }: Compared): Spread {
  const units = (after.perCall ?? 1) / (before.perCall ?? 1);
  return spread(rounds.map((round) => (perSecond(round.after) / perSecond(round.before)) * units));
}

function spreadText({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
}

/** The peak of each process. V8 decides when to return memory, so the same process varies by a third. */
function memoryRequirement(all: readonly Compared[]): Requirement {
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
    required: `≤ ${REQUIRED.memory} × that of the small one`,
    seen: `${(worst.grown / worst.small).toFixed(2)} × at most: ${worst.name}, ${worst.grown.toFixed(0)} MB`,
    isMet: worst.grown / worst.small <= REQUIRED.memory,
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

/** The cost of a call in each process, in microseconds, and its round trips to mongod. */
function cpuText(measured: readonly Measurement[]): string {
  const calls = measured.reduce((sum, { load }) => sum + load.calls, 0);
  const cost = (name: string) =>
    (measured.reduce((sum, { cost }) => sum + (cost.cpuSeconds[name] ?? 0), 0) / calls) * 1e6;
  const names = Object.keys(measured[0]!.cost.cpuSeconds).filter((name) => name !== 'load generator');
  const shares = names.filter((name) => cost(name) >= 1).map((name) => `${name} ${cost(name).toFixed(0)} µs`);
  const trips = measured.reduce((sum, { cost }) => sum + cost.roundTrips, 0) / calls;
  return `${shares.join(', ')}; ${trips.toFixed(2)} round trips`;
}
