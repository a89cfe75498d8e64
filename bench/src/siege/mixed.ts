import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMib } from '@action-platform/local-servers';
import type { Api, RecordReference } from '../contenders/api.ts';
import type { Bench } from '../contenders/contender.ts';
import type { Platform } from '../contenders/platform.ts';
import { type LoadResult, type Requests, startLoadGenerator } from '../load/load.ts';
import { measure } from '../measure/measure.ts';
import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import { tell } from '../output.ts';
import type { Findings } from '../run-command.ts';
import { callOf, discovery, newRecords, samplePayload } from '../scenarios.ts';
import { loadText, usesText } from './callers.ts';
import { memoryRequirement } from './overload.ts';

const WORKSPACES = 200;
const RECORDS = 20;
const STREAMS = 60;
const PER_SECOND = 30;
const CONNECTIONS = 40;
const TOLD_EVERY_MS = 5 * 60_000;
const SERVED_PERCENT = 99;

/** Ordinary calls of many Workspaces, with readers of events and a webhook endpoint that never answers: memory must not grow. */
export async function mixed(
  platform: Platform,
  { seconds }: { readonly seconds: number },
  { stops }: Bench,
): Promise<Findings> {
  const { origin, pids } = platform;
  const owners: Api[] = [];
  const records: RecordReference[][] = [];
  while (owners.length < WORKSPACES) {
    const owner = await platform.workspace();
    owners.push(owner);
    records.push(await newRecords(owner, RECORDS));
  }
  const requests = callsOf(owners, records);
  const dead = createServer().listen(0, '127.0.0.1');
  stops.defer(() => void dead.close());
  await once(dead, 'listening');
  const { port } = dead.address() as { port: number };
  const streams = { opened: 0, failed: 0 };
  for (const owner of owners.slice(0, STREAMS)) void follow(owner, streams);
  const created = await owners[0]!.post('/api/v1/webhook-endpoints', { url: `http://127.0.0.1:${port}/` });
  if (!created.ok) throw new Error(await created.text());

  const names = [...pids.keys()];
  const begunAt = performance.now();
  const tellMemory = () => {
    const sizes = names.map((name) => `${name} ${residentMib(pids.get(name)!).toFixed(0)}`);
    tell(`  after ${((performance.now() - begunAt) / 60_000).toFixed(0)} min, MB: ${sizes.join(', ')}`);
  };
  tellMemory();
  const telling = setInterval(tellMemory, TOLD_EVERY_MS);
  stops.defer(() => clearInterval(telling));
  const load = { origin, requests, seconds, perSecond: PER_SECOND, connections: CONNECTIONS };
  const measured = await measure(platform, load, startLoadGenerator(stops));
  const text = [loadText('mixed', measured.load), usesText('mixed', measured.uses, seconds)].join('\n');
  const requirements = [memoryRequirement(measured.uses), ...servedRequirements(measured.load, streams)];
  return { requirements, text, measured };
}

/** The requirements on the calls, of which those for a Record that nobody has get 400, and on the streams of events. */
export function servedRequirements(
  { calls, attempts, others }: LoadResult,
  streams: { readonly opened: number; readonly failed: number },
): Requirement[] {
  const { 400: notFound = 0, ...failures } = others;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return [
    atLeast('calls that are served', SERVED_PERCENT, (100 * (calls + notFound)) / attempts, '%'),
    atMost('answers other than 200, 400, and 503 with Retry-After', 0, failed, '', JSON.stringify(failures)),
    atLeast('streams of events that opened', STREAMS, streams.opened, ''),
    atMost('streams of events that failed', 0, streams.failed, ''),
  ];
}

/** Every kind of call, each by all Owners. */
function callsOf(owners: readonly Api[], records: readonly RecordReference[][]): Requests[] {
  const tokens = owners.map(({ token }) => token);
  const each = (input: (index: number) => object) => owners.map((_, index) => input(index));
  const record = (index: number) => records[index]![index % RECORDS]!;
  const collection = (index: number) => ({ collection_id: record(index).collection_id });
  const own = (operation: string, input: (index: number) => object, weight = 1) =>
    callOf(tokens, operation, each(input), weight);
  const push = (index: number) => ({ ...collection(index), payload: samplePayload(index) });
  return [
    own('record_store.push_record', push, 6),
    own('record_store.push_record', (index) => ({ ...push(index), idempotency_key: '$unique' }), 2),
    own('record_store.get_record', record, 6),
    own('record_store.replace_record', (index) => ({ ...record(index), payload: samplePayload(index) }), 2),
    own('record_store.list_records', (index) => ({ ...collection(index), limit: 20 }), 2),
    own('record_store.get_record_history', (index) => ({ ...record(index), limit: 5 })),
    own('record_store.list_collections', () => ({})),
    own('events.list_events', () => ({ limit: 20 })),
    own('audit.list_entries', () => ({ limit: 20 })),
    own('mail.list_authorized_senders', () => ({})),
    own('knowledge.list_visible_files', () => ({})),
    own('record_store.get_record', () => ({ collection_id: 'none', record_id: 'none' })),
    { ...discovery(tokens), weight: 2 },
  ];
}

/** Follows the events of a Workspace, counts its streams, and connects again after each end. */
async function follow({ origin, token }: Api, streams: { opened: number; failed: number }): Promise<void> {
  for (;;) {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}/api/v1/events`, { headers }).catch(() => undefined);
    if (answer?.ok) streams.opened++;
    else if (answer?.status !== 503) streams.failed++;
    try {
      for await (const _ of answer?.body ?? []);
    } catch {
      streams.failed++;
    }
    await delay(1_000, undefined, { ref: false });
  }
}
