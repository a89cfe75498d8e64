import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBusKeys } from '@action-platform/bus';
import { listen } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { trace } from './trace.ts';

const BEGIN = Date.parse('2026-01-02T03:04:05.000Z');
const TRACE = 'a'.repeat(32);
const FAILED_TRACE = 'b'.repeat(32);
const BATCH_TRACE = 'c'.repeat(32);
const LOST_TRACE = 'e'.repeat(32);
const PROBE_TRACE = 'f'.repeat(32);
const UNDRAFTED_TRACE = '9'.repeat(32);
let directory: string;

interface TestSpan {
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  /** Since BEGIN, in milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly trace?: string;
  readonly links?: readonly string[];
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly isError?: boolean;
}

/** The trace file of a process: TracesData of the OpenTelemetry Protocol, as JSON. */
function traceFile(service: string, spans: readonly TestSpan[]): string {
  const nanoseconds = (ms: number) => String(BigInt(BEGIN + ms) * 1_000_000n);
  const keyValue = ([key, value]: [string, string | number]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  });
  const resource = { attributes: [keyValue(['service.name', service]), keyValue(['process.pid', 12_345])] };
  const written = spans.map(
    ({ id, parent, name, from, until, trace = TRACE, links = [], attributes = {}, isError }) => ({
      traceId: trace,
      spanId: id,
      ...(parent !== undefined && { parentSpanId: parent }),
      name,
      startTimeUnixNano: nanoseconds(from),
      endTimeUnixNano: nanoseconds(until),
      attributes: Object.entries(attributes).map(keyValue),
      links: links.map((spanId) => ({ traceId: BATCH_TRACE, spanId })),
      status: { code: isError ? 2 : 0 },
    }),
  );
  return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans: written }] }] })}\n`;
}

const request = (id: string, status: number) => ({
  'http.request.method': 'POST',
  'http.response.status_code': status,
  'request.id': id,
});

const asking = { 'messaging.operation.name': 'request' };

const slow: readonly TestSpan[] = [
  { id: 'g1', name: 'POST /push', from: 0, until: 100, attributes: request(`req_${TRACE}`, 200) },
  { id: 'g2', parent: 'g1', name: 'request grants.authorize', from: 5, until: 20 },
  { id: 'g3', parent: 'g1', name: 'request op.push', from: 20, until: 95 },
];
const failed: TestSpan = {
  id: 'f1',
  name: 'POST /push',
  from: 1_000,
  until: 1_030,
  trace: FAILED_TRACE,
  isError: true,
  attributes: { ...request('chosen', 503), 'error.type': 'action_platform_unavailable' },
};
/** A request later than all failed ones: its answer was 200, and mail made no draft. */
const undraftedAs = (outcome: string): readonly TestSpan[] => [
  {
    id: 'm1',
    name: 'POST /send',
    from: 2_000,
    until: 2_020,
    trace: UNDRAFTED_TRACE,
    attributes: request('undrafted', 200),
  },
  {
    id: 'm2',
    parent: 'm1',
    name: 'process op.mail.mail.send_email',
    from: 2_005,
    until: 2_015,
    trace: UNDRAFTED_TRACE,
    attributes: { 'operation.outcome': outcome },
  },
];
/** A health check, slower and later than any request. */
const probe: TestSpan = {
  id: 'p1',
  name: 'GET /readyz',
  from: 5_000,
  until: 9_000,
  trace: PROBE_TRACE,
  isError: true,
  attributes: { ...request('probe', 503), 'http.route': '/readyz' },
};
/** A request whose replica never answered. */
const unanswered: readonly TestSpan[] = [
  {
    id: 'u1',
    name: 'POST /push',
    from: 500,
    until: 504,
    trace: LOST_TRACE,
    attributes: request('unanswered', 502),
  },
  {
    id: 'u2',
    parent: 'u1',
    name: 'request op.push',
    from: 501,
    until: 503,
    trace: LOST_TRACE,
    attributes: asking,
  },
];
const recordStore: readonly TestSpan[] = [
  { id: 'r1', parent: 'g3', name: 'process op.push', from: 25, until: 90 },
  { id: 'r2', parent: 'r1', name: 'batched push', from: 30, until: 85, links: ['b1'] },
  { id: 'r3', parent: 'r1', name: 'a look beside it', from: 30, until: 60 },
  {
    id: 'b1',
    trace: BATCH_TRACE,
    name: 'batch push',
    from: 40,
    until: 84,
    links: ['r2', 'o2'],
    attributes: { 'batch.items': 2 },
  },
  // The span of another request in the same batch.
  { id: 'o2', trace: FAILED_TRACE, name: 'batched push', from: 32, until: 86, links: ['b1'] },
  { id: 'b2', parent: 'b1', trace: BATCH_TRACE, name: 'bulkWrite heads', from: 41, until: 83 },
];

const write = (path: string, text: string) => writeFileSync(join(directory, path), text);
const writeNatsUrl = (nats_url: string) => write('stack.json', JSON.stringify({ nats_url }));

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'action-platform-trace-'));
  for (const folder of ['traces', 'logs', 'keys/events'])
    mkdirSync(join(directory, folder), { recursive: true });
  writeNatsUrl('nats://127.0.0.1:1');
  write('keys/events/bus.seed', createBusKeys().events.seed);
  write('traces/gateway.jsonl', traceFile('gateway', [...slow, failed, ...unanswered, probe]));
  write('traces/record-store.jsonl', traceFile('record-store', recordStore.slice(2)));
  // The previous file of a process that was killed in the middle of a line.
  write(
    'traces/record-store.1.jsonl',
    `${traceFile('record-store', recordStore.slice(0, 2))}{"resourceSpans":[{"re`,
  );
  const line = (at: number, more: object) =>
    JSON.stringify({
      level: 'info',
      time: new Date(BEGIN + at).toISOString(),
      pid: 1_234_567,
      service: 'record-store',
      ...more,
    });
  const lines = [
    line(70, {
      request_id: `req_${TRACE}`,
      trace_id: TRACE,
      span_id: 'r1',
      code: 'ok',
      is_replay: false,
      err: {
        type: 'Error',
        code: 'ENOTDIR',
        stack: `    at mkdir (node:fs:1:1)\n    at write (${new URL('../a.ts', import.meta.url).href}:1:2)`,
      },
      msg: 'looked\u001b[2J',
      user_id: 'ada\u009b2J\u202e',
    }),
    line(71, { request_id: 'req_other', note: TRACE, msg: 'of another request' }),
    line(72, { request_id: 'req_lost', trace_id: 'd'.repeat(32), msg: 'answered\u009b' }),
  ];
  write('logs/record-store.log', `Warning: no JSON\n${lines.join('\n')}\n`);
});
afterAll(() => rmSync(directory, { recursive: true }));

const shown = (...args: string[]) => trace(args, { LOCAL_DIR: directory }, 0);

test('draws a request through all processes, with its critical path, its batch and its log lines', async () => {
  expect(await shown(`req_${TRACE}`)).toBe(`Request req_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
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
     70.0                      record-store  1234567        · info: looked\\u001b[2J Error ENOTDIR at write (deploy/local/src/a.ts:1:2) code=ok user_id=ada\\u009b2J\\u202e
`);
  expect(await shown(TRACE)).toBe(await shown(`req_${TRACE}`));
});

test('the critical path adds up to the duration of the request', async () => {
  const { rows } = JSON.parse(await shown(TRACE, '--json'));
  const onPath = rows.map((row: { critical_path_ms?: number | null }) => row.critical_path_ms ?? 0);
  expect(onPath.reduce((sum: number, each: number) => sum + each, 0)).toBeCloseTo(100);
  const byName = Object.fromEntries(rows.map((row: { name?: string }) => [row.name, row]));
  expect(byName['a look beside it']).toMatchObject({ critical_path_ms: null, took_ms: 30 });
  expect(byName['bulkWrite heads']).toMatchObject({ critical_path_ms: 42 });
  expect(byName['batch push']).toMatchObject({ shared_by: 2, trace_id: BATCH_TRACE });
});

test('prints no character of an id or a message that controls the terminal', async () => {
  const json = await shown(TRACE, '--json');
  expect(json).not.toMatch(/[\u0080-\u009f\u202e]/);
  const { rows } = JSON.parse(json);
  const { fields } = rows.find(({ kind }: { kind: string }) => kind === 'log');
  expect(fields.user_id).toBe('ada\u009b2J\u202e');
});

test('finds the slowest request and the last failed one, without health checks', async () => {
  expect(await shown('--slowest')).toBe(await shown(TRACE));
  expect(await shown('--last-error')).toBe(await shown('chosen'));
  expect(await shown('probe')).toContain('GET /readyz: status 503');
  expect(await shown('chosen')).toContain('status 503, action_platform_unavailable');
});

test.each(['failed', 'unknown'])('finds as the last error a call whose 200 reports %s', async (outcome) => {
  const file = join(directory, 'traces/later.jsonl');
  writeFileSync(file, traceFile('mail', undraftedAs(outcome)));
  try {
    expect(await shown('--last-error')).toBe(await shown('undrafted'));
    expect(await shown('undrafted')).toMatch(
      new RegExp(`process op.mail.mail.send_email .* ✗ ${outcome}$`, 'm'),
    );
  } finally {
    rmSync(file);
  }
});

test('draws a request without its change events, and says why they are missing', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  writeNatsUrl(`nats://127.0.0.1:${await listen(server)}`);
  try {
    expect(await shown(TRACE)).toMatch(/ trace .* · warn: the change events are missing: \S/);
  } finally {
    writeNatsUrl('nats://127.0.0.1:1');
    server.close();
  }
});

test('does not wait for more spans of a request that ended long ago', async () => {
  expect(await trace(['unanswered'], { LOCAL_DIR: directory }, 60_000)).toContain('status 502');
});

test('quotes the log lines of a request without spans', async () => {
  await expect(shown('req_lost')).rejects.toThrow(
    `${directory}/traces has no trace of req_lost (LOCAL_DIR is ${directory}); the logs have: record-store: info: answered\\u009b.`,
  );
});

test.each([[[]], [['one', 'another']], [['--help']], [['one', '--slowest']]])(
  'prints the usage for %j',
  async (args) => {
    expect(await shown(...args)).toMatch(/^Usage: npm run --silent trace -- /);
  },
);
