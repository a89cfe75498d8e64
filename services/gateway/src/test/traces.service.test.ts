import { authorize } from '@action-platform/contracts/calls';
import { pushRecord } from '@action-platform/contracts/operations';
import { SpanReceiver, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gatewayWithStandIns } from './stand-ins.ts';

const { harness, standIns } = gatewayWithStandIns([pushRecord]);
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
/** The same span context, without the flag of recording. */
const NOT_RECORDED = `00-${TRACE_ID}-00f067aa0ba902b7-00`;
const MADE_ID = expect.stringMatching(/^req_[0-9a-f]{32}$/);

/** Makes a call with these headers. Returns the request id of its answer, and the trace headers at the services. */
async function call(headers: Readonly<Record<string, string>>) {
  standIns.received.length = 0;
  const answer = await harness.execute(harness.token, pushRecord, {}).set(headers);
  expect(standIns.received.map(({ subject }) => subject)).toEqual([authorize.subject, pushRecord.subject]);
  const requestId = answer.headers['x-request-id']!;
  const [request, ...others] = standIns.received;
  // With telemetry each request has a span of its own, in the one trace.
  const sameTrace = expect.stringContaining(request!.traceparent.slice(0, 36));
  expect(others).toEqual([expect.objectContaining({ requestId, traceparent: sameTrace })]);
  expect(request!.requestId).toBe(requestId);
  return { requestId, traceparent: request!.traceparent } as const;
}

test('requests of one trace never share a request id', async () => {
  const ids = new Set<string>();
  for (let i = 0; i < 3; i++) {
    ids.add((await call({ traceparent: TRACEPARENT })).requestId);
  }
  expect(ids.size).toBe(3);
  expect(ids).not.toContain(`req_${TRACE_ID}`);
});

test.each<[what: string, headers: Record<string, string>, requestId?: unknown]>([
  ['it', { traceparent: TRACEPARENT }],
  ['a later version', { traceparent: TRACEPARENT.replace('00', '01') }],
  ['further fields', { traceparent: `${TRACEPARENT.replace('00', 'cc')}-what-came-later` }],
  ['a request id of its own', { traceparent: TRACEPARENT, 'x-request-id': 'mine' }, 'mine'],
])(
  "a caller's trace is passed on to the services, with %s",
  async (_what, headers, requestId = MADE_ID as unknown) => {
    expect(await call(headers)).toEqual({ requestId, traceparent: NOT_RECORDED });
  },
);

test.each([
  ['none', {}],
  ['the invalid version', { traceparent: TRACEPARENT.replace('00', 'ff') }],
  ['a later version whose flags are longer', { traceparent: `${TRACEPARENT.replace('00', '01')}0` }],
  ['a trace id of zeros', { traceparent: TRACEPARENT.replace(TRACE_ID, '0'.repeat(32)) }],
  ['a parent id of zeros', { traceparent: TRACEPARENT.replace('00f067aa0ba902b7', '0'.repeat(16)) }],
  ['capital letters', { traceparent: TRACEPARENT.toUpperCase() }],
  ['something after it', { traceparent: `${TRACEPARENT}-00` }],
  ['two of them', { traceparent: `${TRACEPARENT}, ${TRACEPARENT}` }],
] as const)('a trace is begun when the caller sends %s', async (_what, headers) => {
  const { requestId, traceparent } = await call(headers);
  expect(traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  expect(requestId).toBe(`req_${traceparent.slice(3, 35)}`);
  expect(requestId).not.toBe(`req_${TRACE_ID}`);
});

describe('with telemetry, a caller cannot decide whether its request is recorded', () => {
  let receiver: SpanReceiver;
  let tracing: TestProcess;
  beforeAll(async () => {
    receiver = await SpanReceiver.start();
    const sampling = { TRACES_ALL_PER_SECOND: '0', TRACES_SHARE: '0' };
    tracing = await harness.spawn({ ...receiver.environment, ...sampling });
  });
  afterAll(async () => {
    tracing.signal('SIGTERM');
    await tracing.exited;
    receiver.stop();
  });

  test.each([
    ['it is', TRACEPARENT],
    ['it is not', NOT_RECORDED],
  ])('with a traceparent by which %s', async (_says, traceparent) => {
    const { requestId } = await call({ traceparent, tracestate: 'theirs=1', baggage: 'tenant=another' });
    expect(requestId).toEqual(MADE_ID);
    expect(requestId).not.toBe(`req_${TRACE_ID}`);
    for (const request of standIns.received) {
      expect(request.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
      expect(request.traceparent).not.toContain('00f067aa0ba902b7');
      expect([request.baggage, request.tracestate]).toEqual(['', '']);
    }
  });
});
