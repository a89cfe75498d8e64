import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import type { Bus } from './bus.ts';
import { ok, subject, TestConnections, text } from './test-support/test-connections.ts';
import { startTracing, stopTracing } from './test-support/test-tracing.ts';

const buses = new TestConnections();
const callers = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const ours: SpanContext = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 0 };
const written = `00-${ours.traceId}-${ours.spanId}-00`;

let gateway: Bus;

beforeAll(async () => {
  ({ gateway } = await buses.pair(async (request) => ok(request.header('traceparent'))));
});

/** The `traceparent` that the service sees. */
async function seen(headers: Record<string, string> = {}): Promise<string> {
  return text((await gateway.request(subject, '', { timeoutMs: 5000, headers })).body);
}

/** The span that is active when a request is made, and whether what begins within it is recorded. */
let active: SpanContext | undefined;
let isRecording: boolean;

test('without telemetry, the bus passes on the trace context of the caller', async () => {
  expect(await seen({ traceparent: callers })).toBe(callers);
  expect(await seen()).toBe('');
});

describe('with telemetry', () => {
  beforeAll(() =>
    startTracing(
      () => Object.assign(trace.wrapSpanContext(ours), { isRecording: () => isRecording }),
      () => (active === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, active)),
    ),
  );
  afterAll(stopTracing);

  test.each([
    ['outside of a span, the bus passes on the trace context of the caller', undefined, false, callers, ''],
    ['a sampled span replaces it by its own', ours, true, written, written],
    ['an unsampled span passes it on, and begins one without a caller', ours, false, callers, written],
  ])('%s', async (_what, within, recorded, withCaller, withoutCaller) => {
    [active, isRecording] = [within, recorded];
    expect(await seen({ traceparent: callers })).toBe(withCaller);
    expect(await seen()).toBe(withoutCaller);
  });
});
