import { expect, test } from '@jest/globals';
import { TraceFlags } from '@opentelemetry/api';
import { HeadSampler } from './head-sampler.ts';

const ids = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const { NONE, SAMPLED } = TraceFlags;

test('samples all of few traces, and a share of many', () => {
  const sampler = new HeadSampler({ allPerSecond: 20, share: 0.1 });
  const decisions = Array.from({ length: 10_020 }, (_, index) => sampler.samples(undefined, [], 20 * index));
  expect(decisions.slice(0, 20)).not.toContain(false);
  const beyond = decisions.slice(20).filter((isSampled) => isSampled).length;
  expect(beyond).toBeGreaterThan(800);
  expect(beyond).toBeLessThan(1_300);
});

test.each([
  ['sampled', SAMPLED, true],
  ['not sampled', NONE, false],
])(
  'a span within a trace that is %s follows it, and so does a batch of spans of such traces',
  (_what, traceFlags, isSampled) => {
    const sampler = new HeadSampler({ allPerSecond: 0, share: isSampled ? 0 : 1 });
    const context = { ...ids, traceFlags };
    for (const isRemote of [true, false]) expect(sampler.samples({ ...context, isRemote })).toBe(isSampled);
    const links = [{ context: { ...ids, traceFlags: NONE } }, { context }];
    expect(sampler.samples(undefined, links)).toBe(isSampled);
  },
);

test('a link to a span of another process decides nothing', () => {
  const sampler = new HeadSampler({ allPerSecond: 0, share: 0 });
  const links = [{ context: { ...ids, traceFlags: SAMPLED, isRemote: true } }];
  expect(sampler.samples(undefined, links)).toBe(false);
});
