import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFairnessKey } from '@action-platform/admission';
import { busHeaders } from '@action-platform/bus';
import type { PublishedEntry } from '@action-platform/contracts/audit';
import { AUDIT } from '@action-platform/contracts/bus';
import { addMember, createWorkspace, verifyAudit } from '@action-platform/contracts/calls';
import { newId, newRequestId } from '@action-platform/contracts/ids';
import { countEntries, listEntries, pushRecord } from '@action-platform/contracts/operations';
import { auditRoutes } from '@action-platform/contracts/resources';
import { anEntry, anOwner, TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

jest.setTimeout(800_000);

const ENTRIES = 1_000_000;
/** About what a gateway sends in a message. */
const IN_A_MESSAGE = 150;
const SEARCHES = 50;
/** The entries are those of the last day. */
const APART_MS = 86_400_000 / ENTRIES;
/** Each such entry is a refusal. */
const REFUSED = 20;

const platform = new TestPlatform();
const owner = anOwner();
let service: TestProcess;
/** Some of the request ids, spread over all entries. */
const known: string[] = [];

beforeAll(async () => {
  await platform.spawn('grants');
  const { workspace_id: workspace } = await platform.callAs('admin', createWorkspace, { name: 'Test' });
  Object.assign(owner, { workspaceId: workspace });
  await platform.callAs('admin', addMember, { workspace, user: owner.userId, role: 'owner' });
  service = await platform.spawn('audit');
  await fill();
});
afterAll(() => platform.stop());

/** Publishes the entries as gateways do, and waits until they are stored. */
async function fill(): Promise<void> {
  const bus = await platform.connect('gateway');
  const [begun, begunAt] = [Date.now(), performance.now()];
  for (let count = 0; count < ENTRIES; count += IN_A_MESSAGE) {
    const entries = Array.from({ length: Math.min(IN_A_MESSAGE, ENTRIES - count) }, (_, index) =>
      entryOf(count + index, begun),
    );
    if (known.length < (SEARCHES * count) / ENTRIES) known.push(entries[0]!.request_id);
    const id = randomUUID();
    const message = { id, body: JSON.stringify({ id, entries }), timeoutMs: 5_000 };
    while ((await bus.streams.store(AUDIT, message).catch(() => undefined)) === undefined) await delay(200);
  }
  const { db } = await platform.database('audit');
  const stored = async () => {
    const [sum] = await db
      .collection('blocks')
      .aggregate([{ $group: { _id: null, count: { $sum: { $size: { $split: ['$entries', '\n'] } } } } }])
      .toArray();
    return sum?.count ?? 0;
  };
  while ((await stored()) < ENTRIES) await delay(1_000);
  const { storageSize, totalIndexSize } = await db.command({ collStats: 'blocks' });
  report('stored', {
    seconds: seconds(begunAt),
    megabytes: mb(storageSize),
    megabytesOfIndexes: mb(totalIndexSize),
  });
}

const entryOf = (n: number, end: number): PublishedEntry =>
  anEntry({
    workspace_id: owner.workspaceId,
    at: new Date(end - (ENTRIES - n) * APART_MS).toISOString(),
    user_id: `user-${n % 50}`,
    targets: ['col_0198f2d0c4b17a3e9d51c2aa40e7b6f3', newId('record')],
    code: n % REFUSED === 0 ? 'record_store_stale_version' : 'ok',
  });

const report = (what: string, figures: object) =>
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
const seconds = (begunAt: number) => Math.round((performance.now() - begunAt) / 100) / 10;
const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);

test('an entry among a million is found by its request id within a tenth of a second', async () => {
  const tookMs: number[] = [];
  for (const request_id of known) {
    const begunAt = performance.now();
    const { result } = await platform.call(listEntries, owner, { request_id });
    tookMs.push(performance.now() - begunAt);
    expect(result.entries).toMatchObject([{ request_id }]);
  }
  const sorted = tookMs.toSorted((a, b) => a - b);
  report('by request id, ms', {
    median: Math.round(sorted[sorted.length >> 1]!),
    slowest: Math.round(sorted.at(-1)!),
  });
  expect(sorted.at(-1)).toBeLessThan(100);
});

test('the calls of a day with a million entries are counted within a second, and then within a tenth', async () => {
  const tookMs: number[] = [];
  for (let time = 0; time < 5; time++) {
    const begunAt = performance.now();
    const { buckets } = (await platform.call(countEntries, owner, {})).result;
    tookMs.push(Math.round(performance.now() - begunAt));
    const [calls, refused] = (['calls', 'refused'] as const).map((of) =>
      buckets.reduce((sum, bucket) => sum + bucket[of], 0),
    );
    expect(calls).toBeGreaterThanOrEqual(ENTRIES);
    expect(refused).toBe(ENTRIES / REFUSED);
  }
  const [first, ...others] = tookMs;
  const slowest = Math.max(...others);
  report('counted, ms', { first, slowestThen: slowest });
  expect(first).toBeLessThan(1_000);
  expect(slowest).toBeLessThan(100);
});

test('a million entries are exported with flat memory', async () => {
  const bus = await platform.connect('gateway');
  const { workspaceId, userId } = owner;
  const begunAt = performance.now();
  const [before, samples] = [service.residentMB(), [] as number[]];
  for (const format of ['ndjson', 'csv'] as const) {
    // The commands that made the Workspace have entries too.
    const input = JSON.stringify({ format, operation_id: pushRecord.id });
    const reply = await bus.request(auditRoutes.export.subject, input, {
      timeoutMs: 10_000,
      effect: 'read',
      headers: {
        [busHeaders.requestId]: newRequestId(),
        [busHeaders.principal]: JSON.stringify({ workspaceId, userId }),
        [busHeaders.fairnessKey]: writeFairnessKey({ workspace: workspaceId, caller: userId }),
      },
    });
    const linesIn = (chunk: Uint8Array) => chunk.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
    let lines = linesIn(reply.body);
    let chunks = 0;
    for await (const chunk of reply.more ?? []) {
      lines += linesIn(chunk);
      if (chunks++ % 100 === 0) samples.push(service.residentMB());
    }
    expect(lines).toBe(ENTRIES + (format === 'csv' ? 1 : 0));
  }
  const [half, most] = [samples.slice(0, samples.length >> 1), Math.max(...samples)];
  report('exported twice', {
    seconds: seconds(begunAt),
    megabytesBefore: Math.round(before),
    megabytesAtMost: Math.round(most),
    megabytesAtMostInTheFirst: Math.round(Math.max(...half)),
  });
  expect(most - before).toBeLessThan(150);
});

test('the chain of a million entries is verified', async () => {
  const begunAt = performance.now();
  const { valid, blocks, entries } = await platform.callAs('admin', verifyAudit, {
    workspace: owner.workspaceId,
  });
  report('verified', { blocks, seconds: seconds(begunAt) });
  expect(valid).toBe(true);
  expect(entries).toBeGreaterThanOrEqual(ENTRIES);
});
