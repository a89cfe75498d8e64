import type { Measurement } from '../measure/measurement.ts';

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
  /** Throughput of the platform divided by this one's, round by round; above 1 the platform is faster. */
  readonly platformIsFaster: Spread | undefined;
  readonly p50: Spread;
  readonly p99: Spread;
  readonly p999: Spread;
  /** CPU seconds for 1,000 calls, without the load generator, and by process. */
  readonly cpuPerThousand: number;
  readonly cpuByProcess: Readonly<Record<string, number>>;
  readonly roundTripsPerCall: number;
  readonly journalSyncsPerCall: number;
  /** Messages that nats-server received and sent. */
  readonly busInPerCall: number;
  readonly busOutPerCall: number;
  /** Resident memory of the contender's own processes together, in MB, and of every process. */
  readonly memoryMB: number;
  readonly memoryByProcess: Readonly<Record<string, number>>;
  /** How much of one core the load generator used, in percent: near 100 it is the bottleneck. */
  readonly generatorPercent: number;
  readonly errors: number;
  readonly firstError: string | undefined;
}

/** A load and the contenders under it. */
export interface Table {
  readonly scenario: string;
  readonly clients: number;
  readonly rows: readonly Row[];
}

const LOAD_GENERATOR = 'load generator';
const SHARED = new Set(['mongod', 'nats-server', LOAD_GENERATOR]);

/** Summarizes measurements in a table for each load; all are compared with the contender measured first. */
export function summarise(measurements: readonly Measurement[]): Table[] {
  const loads = Map.groupBy(measurements, ({ scenario, clients }) => `${scenario} ${clients}`);
  return [...loads.values()].map((under) => {
    const { scenario, clients } = under[0]!;
    const byContender = Map.groupBy(under, ({ contender }) => contender);
    const platform = byContender.values().next().value!;
    const rows = [...byContender.values()].map((rounds) => rowOf(rounds, platform));
    return { scenario, clients, rows };
  });
}

function rowOf(rounds: readonly Measurement[], platform: readonly Measurement[]): Row {
  const calls = sum(rounds, ({ load }) => load.calls);
  const perCall = (value: (measurement: Measurement) => number) => sum(rounds, value) / calls;
  const cpu = perThousand(rounds, calls);
  const { [LOAD_GENERATOR]: _generator, ...cpuOfServers } = cpu;
  return {
    contender: rounds[0]!.contender,
    callsPerSecond: spread(rounds.map(throughput)),
    platformIsFaster:
      rounds === platform
        ? undefined
        : spread(rounds.map((one, index) => throughput(platform[index]!) / throughput(one))),
    p50: spread(rounds.map(({ load }) => load.latencyMs.p50)),
    p99: spread(rounds.map(({ load }) => load.latencyMs.p99)),
    p999: spread(rounds.map(({ load }) => load.latencyMs.p999)),
    cpuPerThousand: Object.values(cpuOfServers).reduce((total, seconds) => total + seconds, 0),
    cpuByProcess: cpu,
    roundTripsPerCall: perCall(({ cost }) => cost.roundTrips),
    journalSyncsPerCall: perCall(({ cost }) => cost.journalSyncs),
    busInPerCall: perCall(({ cost }) => cost.busIn),
    busOutPerCall: perCall(({ cost }) => cost.busOut),
    memoryMB: Math.max(...rounds.map(ownMemory)),
    memoryByProcess: rounds.at(-1)!.memoryMB,
    generatorPercent:
      (sum(rounds, ({ cost }) => cost.cpuSeconds[LOAD_GENERATOR]!) /
        sum(rounds, ({ load }) => load.seconds)) *
      100,
    errors: sum(rounds, ({ load }) => load.errors),
    firstError: rounds.find(({ load }) => load.firstError !== undefined)?.load.firstError,
  };
}

function throughput({ load }: Measurement): number {
  return load.calls / load.seconds;
}

function perThousand(rounds: readonly Measurement[], calls: number): Record<string, number> {
  const names = Object.keys(rounds[0]!.cost.cpuSeconds);
  return Object.fromEntries(
    names.map((name) => [name, (sum(rounds, ({ cost }) => cost.cpuSeconds[name]!) / calls) * 1000]),
  );
}

function ownMemory({ memoryMB }: Measurement): number {
  const own = Object.entries(memoryMB).filter(([name]) => !SHARED.has(name));
  return own.reduce((total, [, megabytes]) => total + megabytes, 0);
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
