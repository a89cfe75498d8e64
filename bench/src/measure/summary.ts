import type { Measurement } from './rounds.ts';

/** The median of some values, and their range. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A contender under a load, over all rounds. */
export interface Row {
  readonly contender: string;
  readonly callsPerSecond: Spread;
  /** Throughput of the first contender divided by this one's, round by round: above 1 the first is faster. */
  readonly firstIsFaster: Spread | undefined;
  /** Medians over the rounds, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of a call in each process, in microseconds. */
  readonly cpuMicros: Readonly<Record<string, number>>;
  readonly peakMB: Readonly<Record<string, number>>;
  readonly roundTripsPerCall: number;
  readonly journalSyncsPerCall: number;
  /** How much of one core the load generator used, in percent: near 100 it is the bottleneck. */
  readonly generatorPercent: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
}

/** A load and the contenders under it. */
export interface Table {
  readonly what: string;
  readonly clients: number;
  readonly rows: readonly Row[];
}

/** Summarizes measurements in a table for each load; all contenders are compared with the one measured first. */
export function summarize(measurements: readonly Measurement[]): Table[] {
  const loads = Map.groupBy(measurements, ({ what, clients }) => `${what} ${clients}`);
  return [...loads.values()].map((under) => {
    const byContender = Map.groupBy(under, ({ contender }) => contender);
    const [first] = byContender.values();
    const rows = [...byContender.values()].map((rounds) => rowOf(rounds, first!));
    return { what: under[0]!.what, clients: under[0]!.clients, rows };
  });
}

function rowOf(rounds: readonly Measurement[], first: readonly Measurement[]): Row {
  const calls = sum(rounds, ({ load }) => load.calls);
  const seconds = sum(rounds, ({ load }) => load.seconds);
  const names = Object.keys(rounds[0]!.uses);
  const ofEach = (value: (name: string) => number) =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  const ratios = rounds.map((one, index) => itemsPerSecond(first[index]!) / itemsPerSecond(one));
  return {
    contender: rounds[0]!.contender,
    callsPerSecond: spread(rounds.map(({ load }) => load.calls / load.seconds)),
    firstIsFaster: rounds === first ? undefined : spread(ratios),
    p50: spread(rounds.map(({ load }) => load.ms.p50)).median,
    p99: spread(rounds.map(({ load }) => load.ms.p99)).median,
    cpuMicros: ofEach((name) => (sum(rounds, ({ uses }) => uses[name]!.cpuSeconds) / calls) * 1e6),
    peakMB: ofEach((name) => Math.max(...rounds.map(({ uses }) => uses[name]!.peakMB))),
    roundTripsPerCall: sum(rounds, ({ roundTrips }) => roundTrips) / calls,
    journalSyncsPerCall: sum(rounds, ({ journalSyncs }) => journalSyncs) / calls,
    generatorPercent: (sum(rounds, ({ load }) => load.cpuSeconds) / seconds) * 100,
    failed: sum(rounds, ({ load }) => load.attempts - load.calls),
    firstFailure: rounds.find(({ load }) => load.firstFailure !== undefined)?.load.firstFailure,
  };
}

function itemsPerSecond({ load, perCall }: Measurement): number {
  return (load.calls * perCall) / load.seconds;
}

function sum(rounds: readonly Measurement[], value: (measurement: Measurement) => number): number {
  return rounds.reduce((total, measurement) => total + value(measurement), 0);
}

/** The median, minimum and maximum of these values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
