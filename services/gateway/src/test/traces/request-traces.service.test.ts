import {
  type StoredSpan,
  type TraceAnswer,
  type TraceQuestion,
  traceAnswerLimits,
  traceSurvey,
} from '@action-platform/contracts/bus';
import { revokeGrantOf } from '@action-platform/contracts/calls';
import {
  createCollection,
  createDraft,
  getRecordHistory,
  pushRecord,
  replaceRecord,
  sendEmail,
} from '@action-platform/contracts/operations';
import type { ExportedSpan } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RawConnection } from '../raw-http.ts';
import { inParallel, markedCalls } from './marked-calls.ts';
import { TracedPlatform, treeOf } from './traced-platform.ts';

const EXECUTION = 'gateway: POST /api/v1/operations/:operationId';

const traced = new TracedPlatform();
let workspace: string;
let token: string;
let collection_id: string;

beforeAll(async () => {
  await traced.start({ LOG_LEVEL: 'debug', OTEL_METRIC_EXPORT_INTERVAL: '500' });
  const { id, owner } = await traced.harness.newWorkspace(true);
  [workspace, token] = [id, owner.token];
  const made = await traced.execute(createCollection, token, { name: 'Traced' });
  collection_id = made.body.result.collection.id;
}, 120_000);
afterAll(() => traced.stop());

/** The trace of a call, and the span in it that its caller named, if any. */
interface CallersTrace {
  readonly traceId: string;
  readonly spanId?: string;
}

/** The spans of a call, once its trace is whole and has these spans. */
async function spansOf({ traceId, spanId }: CallersTrace, ...names: string[]): Promise<ExportedSpan[]> {
  return await traced.receiver.trace(
    traceId,
    (found) =>
      traced.isWhole(found, spanId) && names.every((name) => found.some((span) => span.name === name)),
  );
}

/** The tree of a call's spans, without the look-up of the Collection, which the process may have cached. */
async function treeAfter(call: CallersTrace, ...names: string[]): Promise<string[]> {
  return treeOf(await spansOf(call, ...names)).filter((line) => !/ collections(\.find)?$/.test(line));
}

/** The metrics of a process. */
async function metricsOf(url: string): Promise<string> {
  const page = await fetch(url);
  // Prometheus refuses other types.
  expect(page.headers.get('content-type')).toBe('text/plain');
  return await page.text();
}

describe('on a quiet platform every request has its trace', () => {
  test('a push, down to the command that inserts', async () => {
    const pushed = await traced.execute(pushRecord, token, { collection_id, payload: { a: 1 } });
    const tree = await treeAfter(pushed, 'find members', 'bulkWrite usage');
    expect(tree).toEqual([
      EXECUTION,
      '  gateway: request grants.authorize',
      '    grants: process grants.authorize',
      '      grants: batched grants.members',
      '        grants: batch grants.members',
      '          grants: find members',
      '  gateway: request op.record-store.record_store.push_record',
      '    record-store: process op.record-store.record_store.push_record',
      '      record-store: batched usage.update',
      '        record-store: batch usage.update',
      '          record-store: batched usage.together',
      '            record-store: batch usage.together',
      '              record-store: bulkWrite usage',
    ]);
  });

  test('a push whose body arrives slowly, with a span and a duration for that', async () => {
    const connection = await RawConnection.open(traced.gateways[0]!);
    const body = JSON.stringify({ collection_id, payload: { a: 1 } });
    const traceId = '5b8aa5a2d2c872e8321cf37308d69df2';
    const spanId = '051581bf3cb55c13';
    connection.call(pushRecord, token, '', {
      'Content-Length': body.length,
      traceparent: `00-${traceId}-${spanId}-00`,
      Expect: '100-continue',
      Connection: 'close',
    });
    // The gateway sends it when it begins to receive the body.
    await connection.receives(/^HTTP\/1\.1 100 Continue/);
    connection.write(body);
    await connection.receives(/HTTP\/1\.1 200 OK/);
    const tree = await treeAfter({ traceId, spanId }, 'receive body', 'bulkWrite usage');
    expect(tree.filter((line) => line.startsWith('  gateway: '))).toEqual([
      '  gateway: receive body',
      '  gateway: request grants.authorize',
      '  gateway: request grants.authorize',
      '  gateway: request op.record-store.record_store.push_record',
    ]);
    const lines = traced.processes.flatMap(({ process }) => process.lines);
    const line = lines.find((each) => each.includes(traceId) && each.includes('"route"'));
    expect(JSON.parse(line!)).toMatchObject({ body_ms: expect.any(Number) });
  });

  test('a history that is streamed, with each of the commands for its parts', async () => {
    const created = { collection_id, payload: { text: 'x'.repeat(100_000) } };
    const pushed = await traced.execute(pushRecord, token, created);
    const { id } = pushed.body.result.record;
    for (let expected_version = 1; expected_version <= 11; expected_version++) {
      const replacing = { ...created, record_id: id, expected_version };
      expect((await traced.execute(replaceRecord, token, replacing)).status).toBe(200);
    }
    const history = await traced.execute(getRecordHistory, token, { collection_id, record_id: id });
    expect(JSON.stringify(history.body).length).toBeGreaterThan(1_200_000);
    const tree = await treeAfter(history, 'find members', 'find revisions');
    const answering = tree.indexOf(
      '    record-store: process op.record-store.record_store.get_record_history',
    );
    const parts = tree.slice(answering).filter((line) => line === '      record-store: find revisions');
    expect(parts.length).toBeGreaterThan(1);
    expect(tree.filter((line) => line.endsWith(' revisions'))).toEqual(parts);
  });

  test('a draft, with the mail system', async () => {
    const drafted = await traced.execute(sendEmail, token, {
      to: ['ada@example.com'],
      subject: 'A',
      body: 'B',
    });
    expect(drafted.status).toBe(200);
    const tree = await treeAfter(drafted, 'find members', 'mail create_draft');
    expect(tree).toEqual(
      expect.arrayContaining([
        '    mail: process op.mail.mail.send_email',
        '      mail: mail create_draft',
        '      mail: insert attempts',
      ]),
    );
  });

  test('a draft with status 200 and a failed outcome, which is recorded and kept', async () => {
    const email = { to: ['ada@example.com'], subject: 'A', body: 'B', idempotency_key: 'not made' };
    const answer = await traced.withoutMailboxes(() => traced.execute(sendEmail, token, email));
    expect([answer.status, answer.body.result.status]).toEqual([200, 'unknown']);
    const serving = 'process op.mail.mail.send_email';
    const spans = await spansOf(answer, serving);
    expect(spans.find(({ name }) => name === serving)!.attributes).toMatchObject({
      'operation.outcome': 'unknown',
      'trace.keep': true,
    });
  });

  test('a call with a revoked grant, with the ids of the grant and its Member', async () => {
    const { body } = await traced.createGrant(pushRecord, token, 'A');
    const grant = body.grant.id;
    await traced.harness.platform.callAs('admin', revokeGrantOf, { workspace, grant });
    const refused = await traced.execute(pushRecord, body.secret, { collection_id, payload: { a: 1 } });
    expect(refused.status).toBe(401);
    expect(JSON.stringify(refused.body)).not.toContain(grant);
    const spans = await spansOf(refused, 'process grants.authorize', 'aggregate grants');
    expect(spans.find(({ name }) => name === 'process grants.authorize')?.attributes).toMatchObject({
      'error.type': 'grant_revoked',
      'grant.id': grant,
      'workspace.id': workspace,
    });
    const lineOf = () =>
      traced.processes
        .flatMap(({ process }) => process.lines)
        .find((each) => each.includes(refused.traceId) && each.includes('grants.authorize'));
    // A process writes its lines a moment after its answers.
    while (lineOf() === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    const line = lineOf();
    expect(JSON.parse(line!)).toMatchObject({ grant_id: grant, workspace_id: workspace, user_id: 'olga' });
  });

  test('with the attributes of the conventions', async () => {
    const refused = await traced.execute(pushRecord, token, { collection_id });
    const { requestId } = refused;
    const spans = await spansOf(refused, 'find members', 'process op.record-store.record_store.push_record');
    const attributesOf = (name: string) => spans.find((span) => span.name === name)?.attributes;
    expect(attributesOf('POST /api/v1/operations/:operationId')).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/operations/:operationId',
      'http.response.status_code': 400,
      'url.scheme': 'http',
      'error.type': 'invalid_request',
      'operation.id': pushRecord.id,
      'workspace.id': workspace,
      'request.id': requestId,
    });
    expect(attributesOf('process op.record-store.record_store.push_record')).toEqual({
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'op.record-store.record_store.push_record',
      'error.type': 'invalid_request',
      'workspace.id': workspace,
      'request.id': requestId,
    });
    expect(attributesOf('find members')).toMatchObject({
      'db.system.name': 'mongodb',
      'db.operation.name': 'find',
      'db.collection.name': 'members',
      'server.address': '127.0.0.1',
    });
  });
});

test('each process exports metrics of its calls to Prometheus', async () => {
  const id = `call_name="${pushRecord.id}"`;
  const served = `http_server_request_duration_count\\{.*operation_id="${pushRecord.id}",error_type=`;
  const expected = {
    gateway: [
      `${served}""`,
      `${served}"invalid_request"`,
      'messaging_client_operation_duration_bucket\\{.*grants\\.authorize',
      'http_server_active_requests\\{?.* 0$',
    ],
    grants: ['batch_items_count\\{.*grants\\.members', 'db_client_operation_duration_bucket\\{'],
    'record-store': [`call_duration_bucket\\{${id}.*le="0\\.005"`, 'call_in_flight\\{?.* 0$'],
    mail: ['mail_provider_duration_count\\{.*create_draft'],
  };
  for (const { name, url } of traced.metrics) {
    const text = await metricsOf(url);
    for (const figure of [...expected[name as keyof typeof expected], 'nodejs_eventloop_delay_p99'])
      expect(text).toMatch(new RegExp(`^${figure}`, 'm'));
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
  }
});

describe('the spans that processes store', () => {
  let ask: (question: TraceQuestion) => Promise<TraceAnswer[]>;
  beforeAll(async () => {
    const admin = await traced.harness.platform.connect('admin');
    const isComplete = ({ length }: readonly unknown[]) => length === traced.processes.length;
    ask = (question) => admin.survey(traceSurvey, { question, timeoutMs: 60_000, isComplete });
  });

  const push = (headers: Readonly<Record<string, string>> = {}) =>
    traced.request(
      `/api/v1/operations/${pushRecord.id}`,
      token,
      { collection_id, payload: { a: 1 } },
      headers,
    );

  const namesIn = (answers: readonly TraceAnswer[]) =>
    answers.flatMap(({ service, spans }) => spans.map(({ name }) => `${service}: ${name}`));

  /** The one span by which a request is found. */
  async function found(question: TraceQuestion): Promise<StoredSpan> {
    const spans = (await ask(question)).flatMap((answer) => answer.spans);
    expect(spans).toHaveLength(1);
    return spans[0]!;
  }

  test('every replica answers operators with the spans and log lines of a request', async () => {
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
    const failures = [failed.traceId];
    await inParallel(100, 8, async () => {
      const { status, traceId } = await push();
      // A machine without time for a push fails it, too.
      if (status >= 500) failures.push(traceId);
    });
    // Each replica answers with the last one that it saw.
    const last = (await ask({ find: 'last-error', id: '' })).flatMap((answer) => answer.spans);
    expect(last.filter(({ trace_id }) => failures.includes(trace_id))).not.toEqual([]);
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
    const { requestId } = await push({ traceparent });
    await inParallel(200, 8, () => push({ traceparent }));
    const answers = await ask({ find: 'trace', id });
    expect(answers.filter(({ is_cut }) => is_cut).length).toBeGreaterThan(0);
    // Every replica finds the spans of one request among them.
    const ofFirst = await ask({ find: 'trace', id, request: requestId });
    expect(ofFirst.filter(({ is_cut }) => is_cut)).toEqual([]);
    expect(namesIn(ofFirst)).toEqual(
      expect.arrayContaining([
        'gateway: POST /api/v1/operations/:operationId',
        'grants: find members',
        'record-store: process op.record-store.record_store.push_record',
      ]),
    );
    const ids = ofFirst.flatMap(({ spans }) => spans.map(({ attributes }) => attributes['request.id']));
    expect(new Set(ids)).toEqual(new Set([requestId, undefined]));
    for (const answer of answers) {
      expect(JSON.stringify(answer).length).toBeLessThan(traceAnswerLimits.bytes + 10_000);
    }
  });
});

test('no span, metric or log line contains the input of a caller', async () => {
  const calls = await markedCalls(traced, token, collection_id);
  await inParallel(80, 8, (call) => calls.make(call));
  const metrics = await Promise.all(traced.metrics.map(({ url }) => metricsOf(url)));
  // A process exports its buffered spans at the latest when it ends.
  await traced.stopProcesses();
  const lines = traced.processes.flatMap(({ process }) => process.lines);
  expect(lines.filter((line) => line.includes('"msg":"answered"')).length).toBeGreaterThan(160);
  expect(traced.receiver.spans.filter(({ name }) => name.startsWith('POST ')).length).toBeGreaterThan(20);
  const all = [...lines, ...metrics, ...traced.receiver.texts];
  for (const secret of calls.secrets) expect(all.filter((text) => text.includes(secret))).toEqual([]);
});
