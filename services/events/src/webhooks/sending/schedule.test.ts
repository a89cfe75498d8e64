import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pauseAfter, RETRY_PAUSES_MS, retryAfterMs } from './schedule.ts';

const random = fc.double({ min: 0, max: 1, noNaN: true });
const HOUR = 3_600_000;

describe('the schedule of retries', () => {
  test('has nine pauses, each longer by at most a tenth, or as long as the endpoint asks', () => {
    const pauses = RETRY_PAUSES_MS.map((_pause, index) => pauseAfter({ attempts: index + 1, ageMs: 0 }, 0));
    expect(pauses).toEqual([
      5_000,
      300_000,
      1_800_000,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(100 * HOUR), random, (attempts, asked, chance) => {
        const pause = pauseAfter({ attempts, ageMs: 0 }, chance)!;
        expect(pauseAfter({ attempts, ageMs: 0, retryAfterMs: asked }, chance)).toBeGreaterThanOrEqual(asked);
        expect(pause).toBeGreaterThanOrEqual(pauses[attempts - 1]!);
        expect(pause).toBeLessThanOrEqual(pauses[attempts - 1]! * 1.1 + 1);
      }),
    );
  });

  test('ends: by a clock that only retries move, an event gets ten attempts, and the last ones of a queue fewer', () => {
    fc.assert(
      fc.property(
        fc.array(random, { minLength: 10, maxLength: 10 }),
        fc.nat(200 * HOUR),
        (chances, waited) => {
          let ageMs = waited;
          let attempts = 0;
          for (const chance of chances) {
            attempts++;
            const pause = pauseAfter({ attempts, ageMs }, chance);
            if (pause === undefined) break;
            ageMs += pause;
          }
          expect(attempts).toBeLessThanOrEqual(10);
          if (waited === 0) expect(attempts).toBe(10);
          if (waited >= 96 * HOUR) expect(attempts).toBe(1);
        },
      ),
    );
  });
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['999999999', 24 * HOUR],
  ['Fri, 01 May 2026 09:31:00 GMT', 60_000],
  ['Fri, 01 May 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s is a pause of %s ms', (header, ms) => {
  expect(retryAfterMs(header, Date.parse('2026-05-01T09:30:00Z'))).toBe(ms);
});
