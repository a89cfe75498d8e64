import type { Contender } from '../contenders/contender.ts';
import type { Load, LoadGenerator, LoadResult } from '../load/load.ts';
import { type Uses, watch } from '../process/watch.ts';

/** A load, and what it cost. */
export interface Measured {
  readonly load: LoadResult;
  /** Of the contender's processes, mongod and nats-server. */
  readonly uses: Uses;
  readonly roundTrips: number;
  /** How often mongod wrote its journal to disk. */
  readonly journalSyncs: number;
}

/** Sends a load and measures its cost. */
export async function measure(
  { pids, mongo }: Contender,
  load: Load,
  generator: LoadGenerator,
): Promise<Measured> {
  const status = () => mongo.db('admin').command({ serverStatus: 1 });
  const syncs = ({ wiredTiger }: Awaited<ReturnType<typeof status>>) => wiredTiger.log['log sync operations'];
  const before = await status();
  const used = watch(pids);
  const result = await generator(load);
  const uses = used();
  const after = await status();
  return {
    load: result,
    uses,
    roundTrips: after.network.numRequests - before.network.numRequests,
    journalSyncs: syncs(after) - syncs(before),
  };
}
