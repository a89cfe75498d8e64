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

  test('counts all runs that have room, and returns the exact milliseconds until the next one has', () => {
    fc.assert(
      fc.property(cadences, steps, (cadence, steps) => {
        const { log, ask } = logIn(cadence);
        let now = START;
        for (const { passes, wanted } of steps) {
          now += Math.max(0, passes);
          const period = cadence.periodSeconds * 1000;
          const room = cadence.invocations - log.filter(({ at }) => at > now - period).length;
          const { entries, waitMs } = ask(now, wanted);
          expect(entries.length).toBe(Math.min(wanted, room));
          log.push(...entries);
          if (entries.length < wanted) {
            expect(ask(now + waitMs - 1, 1).entries).toEqual([]);
            expect(ask(now + waitMs, 1).entries.length).toBe(1);
          }
        }
      }),
    );
  });

  test('treats a deleted entry as one that has left the window', () => {
    const cadence = { invocations: 3, periodSeconds: 60 };
    const { entries } = nextEntries(cadence, { seq: 40, at: START - 100_000 }, () => undefined, START, 5);
    expect(entries.map(({ seq }) => seq)).toEqual([41, 42, 43]);
  });
});
