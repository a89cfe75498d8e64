import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { freePlaces, type Place } from './window.ts';

const START = 1_700_000_000_000;

const cadences = fc.record({
  invocations: fc.integer({ min: 1, max: 5 }),
  periodSeconds: fc.integer({ min: 1, max: 10 }),
});
/** Time passes, now and then backwards as when a clock is set; then some runs want to be counted. */
const steps = fc.array(
  fc.record({ passes: fc.integer({ min: -1500, max: 12_000 }), wanted: fc.integer({ min: 1, max: 8 }) }),
);

/** A chain in memory that runs are counted in. */
function chainOf(cadence: { invocations: number; periodSeconds: number }) {
  const chain: Place[] = [];
  const ask = (now: number, wanted: number) =>
    freePlaces(cadence, chain.at(-1), (seq) => chain[seq - 1]?.at, now, wanted);
  return { chain, ask };
}

describe('the sliding window', () => {
  test('never counts more runs than allowed in any stretch of a period', () => {
    fc.assert(
      fc.property(cadences, steps, (cadence, steps) => {
        const { chain, ask } = chainOf(cadence);
        let now = START;
        for (const { passes, wanted } of steps) {
          now += passes;
          chain.push(...ask(now, wanted).places);
        }
        const period = cadence.periodSeconds * 1000;
        for (const { at: end } of chain) {
          const inStretch = chain.filter(({ at }) => at > end - period && at <= end);
          expect(inStretch.length).toBeLessThanOrEqual(cadence.invocations);
        }
        expect(chain.map(({ seq }) => seq)).toEqual(chain.map((_, index) => index + 1));
        expect(chain.map(({ at }) => at)).toEqual(chain.map(({ at }) => at).toSorted((a, b) => a - b));
      }),
    );
  });

  test('counts as many as there is room for, and says to the millisecond when there is more', () => {
    fc.assert(
      fc.property(cadences, steps, (cadence, steps) => {
        const { chain, ask } = chainOf(cadence);
        let now = START;
        for (const { passes, wanted } of steps) {
          now += Math.max(0, passes);
          const period = cadence.periodSeconds * 1000;
          const room = cadence.invocations - chain.filter(({ at }) => at > now - period).length;
          const { places, waitMs } = ask(now, wanted);
          expect(places.length).toBe(Math.min(wanted, room));
          chain.push(...places);
          if (places.length < wanted) {
            expect(ask(now + waitMs - 1, 1).places).toEqual([]);
            expect(ask(now + waitMs, 1).places.length).toBe(1);
          }
        }
      }),
    );
  });

  test('takes what was deleted for long past', () => {
    const cadence = { invocations: 3, periodSeconds: 60 };
    const { places } = freePlaces(cadence, { seq: 40, at: START - 100_000 }, () => undefined, START, 5);
    expect(places.map(({ seq }) => seq)).toEqual([41, 42, 43]);
  });
});
