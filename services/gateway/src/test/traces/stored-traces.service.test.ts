import {
  createCollection,
  createDraft,
  pushRecord,
  type StoredSpan,
  type TraceAnswer,
  type TraceQuestion,
  traceAnswerLimits,
  traceSurvey,
} from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inParallel, MarkedCalls } from './marked-calls.ts';
import { TracedPlatform } from './traced-platform.ts';

/** Processes that export nothing. */
const traced = new TracedPlatform();
let ask: (question: TraceQuestion) => Promise<TraceAnswer[]>;
let token: string;
let collection_id: string;

beforeAll(async () => {
  const nothing = { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: '' };
  await traced.start({ ...nothing, LOG_LEVEL: 'debug' });
  ({ token } = await traced.workspace());
  const made = await traced.execute(createCollection, token, { name: 'Traced' });
  collection_id = made.body.result.collection.id;
  const admin = await traced.platform.connect('admin');
  const isComplete = ({ length }: readonly unknown[]) => length === traced.processes.length;
  ask = (question) => admin.survey(traceSurvey, { question, timeoutMs: 60_000, isComplete });
}, 120_000);
afterAll(() => traced.stop());

const push = (headers: Readonly<Record<string, string>> = {}) =>
  traced.request(`/api/v1/operations/${pushRecord.id}`, token, { collection_id, payload: { a: 1 } }, headers);

const namesIn = (answers: readonly TraceAnswer[]) =>
  answers.flatMap(({ service, spans }) => spans.map(({ name }) => `${service}: ${name}`));

/** The one span by which a request is found. */
async function found(question: TraceQuestion): Promise<StoredSpan> {
  const spans = (await ask(question)).flatMap((answer) => answer.spans);
  expect(spans).toHaveLength(1);
  return spans[0]!;
}

test('without a collector every replica answers operators with the spans and log lines of a request', async () => {
  const { traceId } = await push();
  const answers = await ask({ find: 'trace', id: traceId });
  expect(namesIn(answers)).toEqual(
    expect.arrayContaining([
      'gateway: POST /api/v1/operations/:operationId',
      'grants: find members',
      'record-store: process op.record-store.record_store.push_record',
      'record-store: bulkWrite usage',
    ]),
  );
  const lines = answers.flatMap((answer) => answer.lines.map(({ service, msg }) => `${service}: ${msg}`));
  expect(lines.toSorted()).toEqual(['gateway: answered', 'grants: answered', 'record-store: answered']);
});

test('a request is found by an id that its caller chose', async () => {
  await push({ 'x-request-id': 'chosen' });
  const span = await found({ find: 'request', id: 'chosen' });
  expect(span.attributes).toMatchObject({ 'request.id': 'chosen', 'operation.id': pushRecord.id });
});

test('the last failed request and the slowest are found', async () => {
  const failed = await traced.execute(createDraft, token, createDraft.example);
  expect(failed.status).toBe(503);
  await inParallel(100, 8, () => push());
  expect((await found({ find: 'last-error', id: '' })).trace_id).toBe(failed.traceId);
  const lasted = ({ started_at, ended_at }: StoredSpan) => ended_at - started_at;
  const slowest = lasted(await found({ find: 'slowest', id: '' }));
  for (let more = 0; more < 5; more++) {
    const { requestId } = await push();
    expect(lasted(await found({ find: 'request', id: requestId }))).toBeLessThanOrEqual(slowest);
  }
});

test('an answer is bounded, also when many requests have one trace', async () => {
  const id = '5b8aa5a2d2c872e8321cf37308d69df2';
  const traceparent = `00-${id}-051581bf3cb55c13-00`;
  await inParallel(200, 8, () => push({ traceparent }));
  const answers = await ask({ find: 'trace', id });
  expect(answers.filter(({ is_cut }) => is_cut).length).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(JSON.stringify(answer).length).toBeLessThan(traceAnswerLimits.bytes + 10_000);
  }
});

test('no answer contains the input of a caller', async () => {
  const calls = await MarkedCalls.of(traced, token, collection_id);
  const seen: string[] = [];
  await inParallel(80, 8, (call) => calls.make(call));
  for (const find of ['last-error', 'slowest'] as const) seen.push((await found({ find, id: '' })).trace_id);
  const answers = await Promise.all(seen.map((id) => ask({ find: 'trace', id })));
  const text = JSON.stringify(answers);
  expect(text.length).toBeGreaterThan(1_000);
  for (const secret of calls.secrets) expect(text).not.toContain(secret);
});
