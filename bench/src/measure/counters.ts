import type { MongoClient } from 'mongodb';
import type { Servers } from '../environment/servers.ts';
import { cpuSeconds } from './process-stat.ts';

/** Monotonic counters, read before and after a load. */
export interface Counters {
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** Requests that mongod answered, and times it wrote its journal to disk. */
  readonly roundTrips: number;
  readonly journalSyncs: number;
  /** Documents written and queries run: the opcounters of serverStatus. */
  readonly opcounters: Readonly<Record<string, number>>;
  readonly busIn: number;
  readonly busOut: number;
}

/** The fields of `serverStatus` that this file uses. */
interface ServerStatus {
  readonly network: { readonly numRequests: number };
  readonly opcounters: Readonly<Record<string, number>>;
  readonly wiredTiger: { readonly log: { readonly 'log sync operations': number } };
}

/** Reads the counters of these processes and of the shared servers. */
export async function readCounters(
  pids: ReadonlyMap<string, number>,
  mongo: MongoClient,
  { natsMonitor }: Servers,
): Promise<Counters> {
  const bus = (await (await fetch(`${natsMonitor}/varz`)).json()) as { in_msgs: number; out_msgs: number };
  const status = (await mongo.db('admin').command({ serverStatus: 1 })) as unknown as ServerStatus;
  const { insert, query, update, delete: deletes, command } = status.opcounters as Record<string, number>;
  return {
    cpuSeconds: Object.fromEntries([...pids].map(([name, pid]) => [name, cpuSeconds(pid)])),
    roundTrips: status.network.numRequests,
    journalSyncs: status.wiredTiger.log['log sync operations'],
    opcounters: { insert: insert!, query: query!, update: update!, delete: deletes!, command: command! },
    busIn: bus.in_msgs,
    busOut: bus.out_msgs,
  };
}

/** By how much counters grew. */
export function growth(before: Counters, after: Counters): Counters {
  return {
    cpuSeconds: difference(before.cpuSeconds, after.cpuSeconds),
    opcounters: difference(before.opcounters, after.opcounters),
    roundTrips: after.roundTrips - before.roundTrips,
    journalSyncs: after.journalSyncs - before.journalSyncs,
    busIn: after.busIn - before.busIn,
    busOut: after.busOut - before.busOut,
  };
}

function difference(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}
