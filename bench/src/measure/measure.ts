import type { MongoClient } from 'mongodb';
import type { Contender } from '../contenders/contender.ts';
import { processIds } from '../environment/process-ids.ts';
import type { Servers } from '../environment/servers.ts';
import type { Load } from '../load/load.ts';
import type { LoadGenerator } from '../load/load-generator.ts';
import { growth, readCounters } from './counters.ts';
import type { Measurement } from './measurement.ts';
import { residentMB } from './process-stat.ts';

/** The inputs of a measurement. */
export interface Instruments {
  readonly servers: Servers;
  readonly mongo: MongoClient;
  readonly generator: LoadGenerator;
}

/** Runs a load on a contender: a warm-up, then the measurement. */
export async function measure(
  { processes }: Contender,
  load: Load,
  warmUpSeconds: number,
  { servers, mongo, generator }: Instruments,
): Promise<Pick<Measurement, 'load' | 'cost' | 'memoryMB'>> {
  const pids = processIds(processes, servers).set('load generator', generator.pid);
  const work = async () => {
    const before = await readCounters(pids, mongo, servers);
    const result = await generator.run(load);
    const after = await readCounters(pids, mongo, servers);
    const memoryMB = Object.fromEntries([...pids].map(([name, pid]) => [name, residentMB(pid)]));
    return { load: result, cost: growth(before, after), memoryMB };
  };
  const measured = generator.run({ ...load, seconds: warmUpSeconds }).then(work);
  return await Promise.race([measured, ...processes.map(({ failed }) => failed)]);
}
