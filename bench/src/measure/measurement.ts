import type { LoadResult } from '../load/load.ts';
import type { Counters } from './counters.ts';

/** One contender under one load, once. */
export interface Measurement {
  readonly contender: string;
  readonly scenario: string;
  readonly clients: number;
  readonly round: number;
  readonly load: LoadResult;
  /** Its total cost; CPU seconds by process, with mongod, nats-server and the load generator. */
  readonly cost: Counters;
  /** Resident memory of every process right after the load, in MB. */
  readonly memoryMB: Readonly<Record<string, number>>;
}
