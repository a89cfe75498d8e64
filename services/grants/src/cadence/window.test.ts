import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LogEntry, nextEntries } from './window.ts';

const START = 1_700_000_000_000;

const cadences = fc.record({
  invocations: fc.integer({ min: 1, max: 5 }),
  periodSeconds: fc.integer({ min: 1, max: 10 }),
});
/** A change of the clock, sometimes backwards, and the runs to count then. */
const steps = fc.array(
  fc.record({ passes: fc.integer({ min: -1500, max: 12_000 }), wanted: fc.integer({ min: 1, max: 8 }) }),
);

/** A run log in memory. */
function logIn(cadence: { invocations: number; periodSeconds: number }) {
  const log: LogEntry[] = [];
  const ask = (now: number, wanted: number) =>
    nextEntries(cadence, log.at(-1), (seq) => log[seq - 1]?.at, now, wanted);
  return { log, ask };
}

describe('the sliding window', () => {
  test('never counts more runs than allowed in any stretch of a period', () => {
    fc.assert(
      fc.property(cadences, steps, (cadence, steps) => {
        const { log, ask } = logIn(cadence);
        let now = START;
        for (const { passes, wanted } of steps) {
          now += passes;
          log.push(...ask(now, wanted).entries);
        }
        const period = cadence.periodSeconds * 1000;
        for (const { at: end } of log) {
          const inStretch = log.filter(({ at }) => at > end - period && at <= end);
          expect(inStretch.length).toBeLessThanOrEqual(cadence.invocations);
        }
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
        expect(log.map(({ at }) => at)).toEqual(log.map(({ at }) => at).toSorted((a, b) => a - b));
      }),
    );
  });
});
