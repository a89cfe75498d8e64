import type { Bus } from '@action-platform/bus';
import {
  type StoredSpan,
  type TraceAnswer,
  type TraceQuestion,
  traceSurvey,
} from '@action-platform/contracts/bus';
import { type ProcessName, processes } from '@action-platform/contracts/services';
import { startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { typed } from '../test-support/typed.ts';

const BEGIN = Date.parse('2026-01-02T03:04:05.000Z');
const TRACE = 'a'.repeat(32);
const FAILED_TRACE = 'b'.repeat(32);
const BATCH_TRACE = 'c'.repeat(32);

let bus: TestBus;
let connections: Bus[] = [];
beforeAll(async () => {
  bus = await startTestBus();
});
afterEach(async () => {
  await Promise.all(connections.map((connection) => connection.drain()));
  connections = [];
});
afterAll(() => bus.stop());

/** A span with times in milliseconds since BEGIN. */
const span = (
  span_id: string,
  parent_span_id: string,
  name: string,
  [from, until]: readonly [number, number],
  more: Partial<StoredSpan> = {},
): StoredSpan => ({
  ...{ trace_id: TRACE, span_id, parent_span_id, name, started_at: BEGIN + from, ended_at: BEGIN + until },
  ...{ attributes: {}, links: [], is_error: false },
  ...more,
});

const request = (id: string, status: number) => ({
  attributes: { 'http.request.method': 'POST', 'http.response.status_code': status, 'request.id': id },
});

const ofGateway = [
  span('g1', '', 'POST /push', [0, 100], request(`req_${TRACE}`, 200)),
  span('g2', 'g1', 'request grants.authorize', [5, 20]),
  span('g3', 'g1', 'request op.push', [20, 95]),
];
const failed = span('f1', '', 'POST /push', [1_000, 1_030], {
  ...request('chosen', 503),
  trace_id: FAILED_TRACE,
  is_error: true,
});
const ofRecordStore = [
  span('r1', 'g3', 'process op.push', [25, 90]),
  span('r2', 'r1', 'batched push', [30, 85], { links: ['b1'] }),
  span('r3', 'r1', 'a look beside it', [30, 60]),
  span('b1', '', 'batch push', [40, 84], {
    ...{ trace_id: BATCH_TRACE, links: ['r2', 'o2'], attributes: { 'batch.items': 2 } },
  }),
  span('b2', 'b1', 'bulkWrite heads', [41, 83], { trace_id: BATCH_TRACE }),
];
const line = {
  ...{ time: new Date(BEGIN + 70).toISOString(), level: 'info', service: 'record-store', pid: 1_234_567 },
  ...{ request_id: `req_${TRACE}`, trace_id: TRACE, span_id: 'r1', code: 'ok', is_replay: false },
  err: {
    ...{ type: 'Error', code: 'ENOTDIR' },
    stack: `    at mkdir (node:fs:1:1)\n    at write (${new URL('../a.ts', import.meta.url).href}:1:2)`,
  },
  ...{ msg: 'looked\u001b[2J', user_id: 'ada\u009b2J\u202e' },
};

type Answering = (question: TraceQuestion) => Partial<TraceAnswer>;

/** A replica of each process; those of the map have answers, the others store nothing. Null is no replica. */
async function replicas(answering: Partial<Record<ProcessName, Answering | null>>): Promise<void> {
  for (const service of processes) {
    const answer = answering[service];
    if (answer === null) continue;
    const connection = await bus.connect(service);
    connections.push(connection);
    const who = { service, replica: connection.replica, host: 'here', pid: 12_345, heard_of: [] };
    connection.answerSurvey(traceSurvey, async (question) => ({
      ...{ ...who, spans: [], lines: [], is_cut: false },
      ...answer?.(question),
    }));
    await connection.flush();
  }
}

const whole: Partial<Record<ProcessName, Answering>> = {
  gateway: ({ find, id }) => {
    if (find === 'slowest') return { spans: [ofGateway[0]!] };
    if (find === 'last-error' || id === 'chosen' || id === FAILED_TRACE) return { spans: [failed] };
    return id === TRACE ? { spans: ofGateway } : {};
  },
  'record-store': ({ id }) => (id === TRACE ? { spans: ofRecordStore, lines: [line] } : {}),
};

async function trace(...words: string[]): Promise<string> {
  const { stdout, stderr } = await typed(['trace', ...words], bus.environment('admin'));
  // The stream of change events does not exist on this bus.
  return `${stdout}${stderr}`.replace(/.* warn: the change events are missing: .*\n/, '');
}
const shown = (...words: string[]) => trace('--table', ...words);

test('draws a request through all processes, with its critical path, its batch and its log lines', async () => {
  await replicas(whole);
  const drawn = await shown(`req_${TRACE}`);
  expect(drawn).toBe(`Request req_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
POST /push: status 200
2026-01-02T03:04:05.000Z, 100.0 ms, trace aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa

Times in ms. PATH: time on the critical path (█; ░ is off it, → is after the answer).

    START      TOOK      PATH  SERVICE           PID
      0.0     100.0      10.0  gateway         12345  POST /push                                                  ██████████████████████████████
      5.0      15.0      15.0  gateway         12345    request grants.authorize                                    ████
     20.0      75.0      10.0  gateway         12345    request op.push                                                 ███████████████████████
     25.0      65.0      10.0  record-store    12345      process op.push                                                 ███████████████████
     30.0      55.0      11.0  record-store    12345        batched push                                                   █████████████████
     40.0      44.0       2.0  record-store    12345          ⇉ batch push (for 2 requests)                                   █████████████
     41.0      42.0      42.0  record-store    12345            bulkWrite heads                                               █████████████
     30.0      30.0            record-store    12345        a look beside it                                               ░░░░░░░░░
     70.0                      record-store  1234567        · info: looked\\u001b[2J Error ENOTDIR at write (deploy/admin/src/a.ts:1:2) code=ok user_id=ada\\u009b2J\\u202e
`);
  expect(await shown(TRACE)).toBe(drawn);
  expect(await shown('--slowest')).toBe(drawn);
});

test('the critical path adds up to the duration of the request, and JSON has no character that controls a terminal', async () => {
  await replicas(whole);
  const json = await trace('--json', TRACE);
  expect(json).not.toMatch(/[\u0080-\u009f\u202e]/);
  const { rows } = JSON.parse(json);
  const onPath = rows.map((row: { critical_path_ms?: number | null }) => row.critical_path_ms ?? 0);
  expect(onPath.reduce((sum: number, each: number) => sum + each, 0)).toBeCloseTo(100);
  const byName = Object.fromEntries(rows.map((row: { name?: string }) => [row.name, row]));
  expect(byName['a look beside it']).toMatchObject({ critical_path_ms: null, took_ms: 30 });
  expect(byName['batch push']).toMatchObject({ shared_by: 2, trace_id: BATCH_TRACE });
  expect(rows.at(-1)).toMatchObject({ kind: 'log', fields: { user_id: 'ada\u009b2J\u202e' } });
});

test('finds a request by an id that its caller chose, and the last failed one', async () => {
  await replicas(whole);
  const chosen = await shown('chosen');
  expect(chosen).toMatch(/^Request chosen\nPOST \/push: status 503\n/);
  expect(await shown('--last-error')).toBe(chosen);
});

test('draws the request that was wanted and no other one, where a caller made many in one trace', async () => {
  const questions: TraceQuestion[] = [];
  const others = ['one', 'other'].map((id, n) =>
    span(`o${n}`, '', 'POST /push', [500 + n, 2_000 + n], { ...request(id, 200), trace_id: FAILED_TRACE }),
  );
  const part = span('p1', 'lost', 'process op.push', [1_001, 1_020], {
    trace_id: FAILED_TRACE,
    attributes: { 'request.id': 'one' },
  });
  await replicas({
    gateway: (question) => {
      questions.push(question);
      if (question.find === 'request') return question.id === 'chosen' ? { spans: [failed] } : {};
      return { spans: [...others, part], is_cut: true };
    },
  });
  const chosen = await shown('chosen');
  expect(chosen).toMatch(/^Request chosen\nPOST \/push: status 503\n/);
  expect(chosen).not.toContain('process op.push');
  expect(questions.at(-1)).toEqual({ find: 'trace', id: FAILED_TRACE, request: 'chosen' });
  expect(await shown(`req_${FAILED_TRACE}`)).toContain('No replica stores a trace of req_bbbb');
  const last = await shown(FAILED_TRACE);
  expect(last).toMatch(/^Request other\n/);
  expect(last).toContain('Not whole: The trace has 2 requests; this is the last.\n');
});

test('draws what other replicas have, and names a replica that hangs and one that has more', async () => {
  const heard_of = [
    { service: 'record-store', replica: 'hangs', host: 'there', pid: 43, silent_ms: 9_000 },
  ] as const;
  await replicas({
    gateway: (question) => ({ ...whole.gateway!(question), heard_of: [...heard_of], is_cut: true }),
  });
  const drawn = await shown(TRACE);
  expect(drawn).toContain('Not whole: record-store (host there, process 43) does not answer.\n');
  expect(drawn).toContain('Not whole: gateway (process 12345) has more than ');
  expect(drawn).not.toContain('process op.push');
});

test('names a replica that was replaced as such', async () => {
  const heard_of = [
    { service: 'record-store', replica: 'killed', host: 'there', pid: 43, silent_ms: 60_000 },
  ] as const;
  await replicas({
    gateway: (question) => ({ ...whole.gateway!(question), heard_of: [...heard_of] }),
    'record-store': () => ({ started_at: Date.now() - 50_000 }),
  });
  const drawn = await shown(TRACE);
  expect(drawn).toContain(
    'Replaced since: record-store (host there, process 43); its spans ended with it.\n',
  );
  expect(drawn).not.toContain('Not whole');
});

test('quotes the log lines of a request without spans', async () => {
  await replicas({
    'record-store': () => ({ lines: [{ ...line, trace_id: 'd'.repeat(32), msg: 'answered\u009b' }] }),
  });
  expect(await shown('lost')).toBe(
    'No replica stores a trace of lost; the logs have: record-store: info: answered\\u009b.\n',
  );
});

test.each([[[]], [['one', '--slowest']], [['--last-error', '--slowest']]])('explains %j', async (words) => {
  expect(await shown(...words)).toBe('Give a request id, --last-error or --slowest.\n');
});
