import { afterEach, expect, jest, test } from '@jest/globals';
import { isFresh, knownOf } from './known-tools.ts';
import { STATELESS } from './session.ts';

afterEach(() => void jest.restoreAllMocks());

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a look counts for 300 seconds, although the clock of the machine is set %s', (_way, byMs) => {
  const tool = { name: 'a', description: '', inputSchema: {}, annotations: {}, digest: '0' };
  const listed = { tools: [tool], truncated: false, isStateless: true };
  const known = knownOf({ session: STATELESS, listed });
  const [time, lookedAtMs] = [Date.now() + byMs, performance.now()];
  jest.spyOn(Date, 'now').mockReturnValue(time);
  const isFreshAfter = (ms: number) => {
    jest.spyOn(performance, 'now').mockReturnValue(lookedAtMs + ms);
    return isFresh(known, { ...tool, definedAt: new Date(0) });
  };
  expect([isFreshAfter(290_000), isFreshAfter(300_000)]).toEqual([true, false]);
});
