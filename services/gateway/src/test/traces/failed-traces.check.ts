import {
  createCollection,
  createDraft,
  getRecord,
  listAuthorizedSenders,
  pushRecord,
} from '@action-platform/contracts/operations';
import type { ExportedSpan } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inParallel, markedCalls } from './marked-calls.ts';
import { TracedPlatform, treeOf } from './traced-platform.ts';

/** The number of calls. Each hundredth call fails, in different places. */
const CALLS = 2_000;
const CLIENTS = 64;

const traced = new TracedPlatform();
/** The traces of the failed calls, by the place of the failure. */
const failed = { 'record-store': [] as string[], grants: [] as string[], gateway: [] as string[] };
type Place = keyof typeof failed;
let calls: Awaited<ReturnType<typeof markedCalls>>;
let token: string;

beforeAll(async () => {
  // Samples one in ten however busy the machine is, and keeps no slow calls.
  await traced.start(
    {
      LOG_LEVEL: 'debug',
      TRACES_ALL_PER_SECOND: '0',
      TRACES_SHARE: '0.1',
      TRACES_SLOW_MS: '30000',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    },
    2,
  );
  const { harness } = traced;
  ({ token } = (await harness.newWorkspace(true)).owner);
  const made = await traced.execute(createCollection, token, { name: 'Traced' });
  const collection_id = made.body.result.collection.id;
  calls = await markedCalls(traced, token, collection_id);

  const broken = await traced.execute(pushRecord, token, { collection_id, payload: { a: 1 } });
  const record_id = broken.body.result.record.id;
  const stored = await harness.platform.database('record-store');
  await stored.db
    .collection<{ _id: string }>('records')
    .updateOne({ _id: record_id }, { $set: { created_at: null } });
  const outsider = await harness.newWorkspace();
  const grants = await harness.platform.database('grants');
  const member = { '_id.workspace_id': outsider.id } as object;
  await grants.db.collection('members').updateMany(member, { $set: { connections: null } });

  const fail: Record<Place, () => ReturnType<TracedPlatform['execute']>> = {
    'record-store': () => traced.execute(getRecord, token, { collection_id, record_id }),
    grants: () => traced.execute(listAuthorizedSenders, outsider.owner.token, {}),
    // The service of procedures does not run.
    gateway: () => traced.execute(createDraft, token, createDraft.example),
  };
  const places = Object.keys(fail) as Place[];
  await inParallel(CALLS, CLIENTS, async (call) => {
    if (call % 100 !== 50) return await calls.make(call);
    const place = places[Math.floor(call / 100) % places.length]!;
    const answer = await fail[place]();
    expect(answer.status).toBe(503);
    failed[place].push(answer.traceId);
  });
}, 120_000);
afterAll(() => traced.stop());

/** The spans that the trace of a failure at each place must have. */
const marks: Record<Place, readonly string[]> = {
  'record-store': [
    '    grants: process grants.authorize',
    `    record-store: process op.record-store.${getRecord.id}`,
  ],
  grants: ['    grants: process grants.authorize'],
  gateway: ['    grants: process grants.authorize', `  gateway: request op.procedures.${createDraft.id}`],
};

test.each(Object.keys(failed) as Place[])(
  'the traces of all calls that failed in %s are whole',
  async (place) => {
    expect(failed[place].length).toBeGreaterThanOrEqual(6);
    const hasMarks = (spans: readonly ExportedSpan[]) => {
      const tree = treeOf(spans);
      return marks[place].every((mark) => tree.includes(mark));
    };
    for (const traceId of failed[place]) {
      const spans = await traced.receiver.trace(traceId, (found) => traced.isWhole(found) && hasMarks(found));
      const seen = { isWhole: traced.isWhole(spans), hasMarks: hasMarks(spans), tree: treeOf(spans) };
      expect(seen).toEqual({ isWhole: true, hasMarks: true, tree: expect.anything() });
      expect(spans.find(({ parentSpanId }) => parentSpanId === '')).toMatchObject({ isError: true, kind: 2 });
    }
  },
);

test('one in ten of the others is exported', () => {
  const requests = traced.receiver.spans.filter(({ name }) => name.startsWith('POST '));
  expect(requests.length).toBeGreaterThan(100);
  expect(requests.length).toBeLessThan(CALLS * 0.2);
});

test('a batch of several calls is one span, and it and their spans link each other', () => {
  const { spans } = traced.receiver;
  const batches = spans.filter(({ name, parentSpanId }) => name.startsWith('batch ') && parentSpanId === '');
  expect(batches.length).toBeGreaterThan(0);
  for (const { spanId, links, attributes } of batches) {
    expect(links).toHaveLength(Number(attributes['batch.items']));
    for (const waiting of spans.filter((span) => links.includes(span.spanId))) {
      expect(waiting.links).toEqual([spanId]);
    }
  }
});

test('no span, metric or log line contains the input of a caller', () => {
  const lines = traced.processes.flatMap(({ process }) => process.lines);
  expect(lines.filter((line) => line.includes('"msg":"answered"')).length).toBeGreaterThan(2 * CALLS);
  expect(traced.receiver.texts.some((text) => text.includes('http.server.request.duration'))).toBe(true);
  const all = [...lines, ...traced.receiver.texts];
  for (const secret of calls.secrets) expect(all.filter((text) => text.includes(secret))).toEqual([]);
});
