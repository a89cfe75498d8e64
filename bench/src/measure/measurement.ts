import type { LoadResult } from '../load/load.ts';
import type { Counters } from './counters.ts';

/** One contender under one load, once. */
export interface Measurement {
  readonly contender: string;
  readonly scenario: string;
  readonly clients: number;
  readonly round: number;
  readonly load: LoadResult;
  /** What it cost altogether; CPU seconds by process, mongod, nats-server and the load generator among them. */
  readonly cost: Counters;
  /** Resident memory of every process right after the load, in MB. */
  readonly memoryMB: Readonly<Record<string, number>>;
}
