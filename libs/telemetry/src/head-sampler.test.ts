import { expect, test } from '@jest/globals';
import { type Link, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace';
import { HeadSampler } from './head-sampler.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const place = { traceId, spanId: '00f067aa0ba902b7' };
const { NONE, SAMPLED } = TraceFlags;
const { RECORD, RECORD_AND_SAMPLED } = SamplingDecision;

/** What is decided of a span that begins; all are recorded, so that they can be kept. */
function decided(sampler: Sampler, context = ROOT_CONTEXT, links: Link[] = []): SamplingDecision {
  return sampler.shouldSample(context, traceId, 'work', SpanKind.SERVER, {}, links).decision;
}

test('all of few are exported, and of many a share; all others are recorded', () => {
  const sampler = new HeadSampler({ allUpTo: 20, share: 0.1 });
  const decisions = Array.from({ length: 10_020 }, () => decided(sampler));
  expect(new Set(decisions)).toEqual(new Set([RECORD, RECORD_AND_SAMPLED]));
  expect(decisions.slice(0, 20)).not.toContain(RECORD);
  const beyond = decisions.slice(20).filter((decision) => decision === RECORD_AND_SAMPLED).length;
  expect(beyond).toBeGreaterThan(800);
  expect(beyond).toBeLessThan(1_300);
});

test.each([
  ['sampled', SAMPLED, RECORD_AND_SAMPLED],
  ['not sampled', NONE, RECORD],
])(
  'what goes on with a trace that is %s is, too, and so is a batch of one',
  (_what, traceFlags, decision) => {
    const sampler = new HeadSampler({ allUpTo: 0, share: traceFlags === SAMPLED ? 0 : 1 });
    const context = { ...place, traceFlags };
    for (const isRemote of [true, false]) {
      expect(decided(sampler, trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote }))).toBe(decision);
    }
    expect(decided(sampler, ROOT_CONTEXT, [{ context: { ...context, traceFlags: NONE } }, { context }])).toBe(
      decision,
    );
  },
);

test('whoever is linked from outside decides nothing', () => {
  const sampler = new HeadSampler({ allUpTo: 0, share: 0 });
  const links = [{ context: { ...place, traceFlags: SAMPLED, isRemote: true } }];
  expect(decided(sampler, ROOT_CONTEXT, links)).toBe(RECORD);
});
