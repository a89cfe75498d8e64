import { expect, test } from '@jest/globals';
import { TraceFlags } from '@opentelemetry/api';
import { HeadSampler } from './head-sampler.ts';

const place = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const { NONE, SAMPLED } = TraceFlags;

test('all of few are exported, and of many a share', () => {
  const sampler = new HeadSampler({ allUpTo: 20, share: 0.1 });
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
  'what goes on with a trace that is %s is, too, and so is a batch of one',
  (_what, traceFlags, isSampled) => {
    const sampler = new HeadSampler({ allUpTo: 0, share: isSampled ? 0 : 1 });
    const context = { ...place, traceFlags };
    for (const isRemote of [true, false]) expect(sampler.samples({ ...context, isRemote })).toBe(isSampled);
    const links = [{ context: { ...place, traceFlags: NONE } }, { context }];
    expect(sampler.samples(undefined, links)).toBe(isSampled);
  },
);

test('whoever is linked from outside decides nothing', () => {
  const sampler = new HeadSampler({ allUpTo: 0, share: 0 });
  const links = [{ context: { ...place, traceFlags: SAMPLED, isRemote: true } }];
  expect(sampler.samples(undefined, links)).toBe(false);
});
