import type { Api } from '../contenders/api.ts';
import type { Platform } from '../contenders/platform.ts';
import type { Load, LoadResult, Requests } from '../load/load.ts';
import type { Uses } from '../process/watch.ts';
import { callOf, discovery, newRecords, samplePayload } from '../scenarios.ts';

/** Creates a Workspace with this number of Members. @returns its Owner, and the session token of each */
export async function newCallers(platform: Platform, members: number): Promise<[Api, string[]]> {
  const owner = await platform.workspace();
  const tokens = [owner.token];
  while (tokens.length < members) {
    tokens.push((await platform.member(owner.workspace, `member-${tokens.length}`)).token);
  }
  return [owner, tokens];
}

/** The others' calls in a siege: 50 a second of two Members of a Workspace. */
export async function othersLoad(platform: Platform, seconds: number): Promise<Load> {
  const requests = await ordinaryCalls(...(await newCallers(platform, 2)));
  return { origin: platform.origin, requests, seconds, perSecond: 50, connections: 50 };
}

/** A typical mix of calls: four gets, three pushes, a listing and two discoveries. */
export async function ordinaryCalls(api: Api, tokens: readonly string[]): Promise<readonly Requests[]> {
  const records = await newRecords(api, 200);
  const { collection_id } = records[0]!;
  const pushes = tokens.map(() => ({ collection_id, payload: samplePayload() }));
  const lists = tokens.map(() => ({ collection_id, limit: 20 }));
  return [
    callOf(tokens, 'record_store.get_record', records, 4),
    callOf(tokens, 'record_store.push_record', pushes, 3),
    callOf(tokens, 'record_store.list_records', lists, 1),
    { ...discovery(tokens), weight: 2 },
  ];
}

/** The result of a load in a line. */
export function loadText(what: string, { attempts, calls, refused, others, ms, lateMs }: LoadResult): string {
  const latencies = `p50 ${ms.p50.toFixed(1)} ms, p99 ${ms.p99.toFixed(1)} ms, longest ${ms.max.toFixed(0)} ms`;
  const outcomes = `${calls} of ${attempts} succeeded, ${refused} refused, others ${JSON.stringify(others)}`;
  return `  ${what}: ${outcomes}; ${latencies}; sent late by p99 ${lateMs.p99.toFixed(1)} ms`;
}

/** The resource use of processes in a line. */
export function usesText(what: string, uses: Uses, seconds: number): string {
  const texts = Object.entries(uses).map(([name, { cpuSeconds, peakMB }]) => {
    return `${name} ${((cpuSeconds / seconds) * 100).toFixed(0)} % of a core, ${peakMB.toFixed(0)} MB`;
  });
  return `  ${what}: ${texts.join('; ')}`;
}
