import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Bus } from './bus.ts';
import { ok, subject, TestConnections, text } from './test-support/test-connections.ts';
import { startTracing, stopTracing } from './test-support/test-tracing.ts';

const buses = new TestConnections();
const callers = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const ours: SpanContext = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 0 };
const written = `00-${ours.traceId}-${ours.spanId}-00`;

let gateway: Bus;

beforeAll(async () => {
  await buses.start();
  const service = await buses.connect('record-store');
  service.serve(subject, 'record-store', async (request) => ok(request.header('traceparent')));
  await service.flush();
  gateway = await buses.connect('gateway');
});
afterAll(() => buses.stop());

/** The `traceparent` that the service sees. */
async function seen(headers: Record<string, string> = {}): Promise<string> {
  return text((await gateway.request(subject, '', { timeoutMs: 5000, headers })).body);
}

/** The span that is active when a request is made, and whether what begins within it is recorded. */
let active: SpanContext | undefined;
let isRecording: boolean;

/** The least that counts as telemetry. */
function startTelemetry(): void {
  let within: Context | undefined;
  const begin = (): Span => Object.assign(trace.wrapSpanContext(ours), { isRecording: () => isRecording });
  const tracer = {
    startSpan: begin,
    startActiveSpan: (_name: string, _options: object, run: (span: Span) => unknown) => {
      const span = begin();
      return context.with(trace.setSpan(context.active(), span), run, undefined, span);
    },
  };
  startTracing(tracer as unknown as Tracer, {
    active: () =>
      within ?? (active === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, active)),
    with: (next, run, self, ...args) => {
      const before = within;
      within = next;
      try {
        return run.call(self as never, ...args);
      } finally {
        within = before;
      }
    },
  });
}

test('without telemetry, the bus passes on the trace context of the caller', async () => {
  expect(await seen({ traceparent: callers })).toBe(callers);
  expect(await seen()).toBe('');
});

describe('with telemetry', () => {
  beforeAll(startTelemetry);
  afterAll(stopTracing);

  test('outside of a span, the bus passes on the trace context of the caller', async () => {
    active = undefined;
    expect(await seen({ traceparent: callers })).toBe(callers);
  });

  test('a sampled span replaces it by its own', async () => {
    active = ours;
    isRecording = true;
    expect(await seen({ traceparent: callers })).toBe(written);
    expect(await seen()).toBe(written);
  });

  test('an unsampled span passes it on, and begins one when the caller sent none', async () => {
    active = ours;
    isRecording = false;
    expect(await seen({ traceparent: callers })).toBe(callers);
    expect(await seen()).toBe(written);
  });
});
