import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Attributes, ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api';
import { subject, TestConnections } from './test-support/test-connections.ts';
import { startTracing, stopTracing } from './test-support/test-tracing.ts';

const buses = new TestConnections();
const active: SpanContext = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 };
/** The attributes of each span that began. */
const spans: { readonly name: string; readonly attributes: Attributes }[] = [];
beforeAll(() => {
  const begin = (name: string) => {
    const attributes: Attributes = {};
    spans.push({ name, attributes });
    return Object.assign(trace.wrapSpanContext(active), {
      isRecording: () => true,
      setAttribute: (key: string, value: string) => {
        attributes[key] = value;
      },
    }) as unknown as Span;
  };
  startTracing(begin, () => trace.setSpanContext(ROOT_CONTEXT, active));
});
afterAll(stopTracing);

/** Sends a write; resolves with its error and why its span says that it failed. */
async function failing(timeoutMs: number, during: (cancel: () => void) => unknown = () => {}) {
  const line = await buses.breakableLine();
  const gateway = await buses.connect('gateway', { url: line.url });
  const caller = new AbortController();
  const answer = gateway.request(subject, '', { timeoutMs, signal: caller.signal });
  const outcome = answer.then(
    () => 'answered',
    ({ code }) => code,
  );
  await gateway.flush();
  if (during === breakLine) line.breakAll();
  else during(() => caller.abort());
  const code = await outcome;
  const { attributes } = spans.findLast(({ name }) => name === `request ${subject}`)!;
  expect(attributes['error.type']).toBe(code);
  return { code, failure: attributes['bus.failure'] };
}
const breakLine = () => {};

test('the span of a failed request has the reason', async () => {
  expect(await failing(60_000)).toEqual({
    code: 'action_platform_unavailable',
    failure: 'no_responders',
  });
  await buses.hangingReplica();
  const unknown = { code: 'action_infrastructure_failure' };
  expect(await failing(50)).toEqual({ ...unknown, failure: 'timeout' });
  expect(await failing(60_000, breakLine)).toEqual({ ...unknown, failure: 'connection_lost' });
  expect(await failing(60_000, (cancel) => cancel())).toEqual({ ...unknown, failure: 'cancelled' });
});
