import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  axisOf,
  bucketLabel,
  changeOf,
  dayOf,
  durationOf,
  nameIn,
  sizeOf,
  spoken,
} from '../browser/text/spoken.js';

const DAY = 86_400_000;

test('a day begins at midnight of the reader, and a bucket of a day has the date of UTC', () => {
  const { TZ } = process.env;
  try {
    process.env.TZ = 'America/New_York';
    const noon = new Date(2026, 2, 10, 12);
    // Daylight saving time began on 8 March.
    expect([dayOf(1, noon), dayOf(3, noon)]).toEqual([
      '2026-03-09T04:00:00.000Z',
      '2026-03-07T05:00:00.000Z',
    ]);
    expect(bucketLabel('2026-05-01T00:00:00.000Z', 'day')).toBe('May 1');
    expect(bucketLabel('2026-05-01T00:00:00.000Z', 'day', true)).toMatch(/May 1, 2026.*UTC/);
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('times, sizes and changes are said as people say them', () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  const at = (ms: number) => spoken(new Date(now + ms).toISOString(), now);
  expect([at(0), at(-4 * 60_000), at(-35 * 3_600_000), at(6 * DAY)]).toEqual([
    'now',
    '4 min. ago',
    '1 day ago',
    'in 6 days',
  ]);
  expect(at(-30 * DAY)).toMatch(/2026/);
  expect([0, 999, 214_000_000, 1_073_741_824].map(sizeOf)).toEqual([
    '0 bytes',
    '999 bytes',
    '214 MB',
    '1.07 GB',
  ]);
  expect([60, 86_400, 172_800, 90].map(durationOf)).toEqual(['minute', 'day', '2 days', '90 seconds']);
  expect([changeOf(112, 100), changeOf(50, 100), changeOf(0, 0)]).toEqual([
    '↑ 12 % against the time before',
    '↓ 50 % against the time before',
    'none before either',
  ]);
});

test('a Record is called by a short text that names things', () => {
  expect(nameIn('{"order":1,"customer":"Ada"}')).toBe('Ada');
  expect(nameIn('{"name":1,"items":["a"]}')).toBeUndefined();
});

test('an axis begins at 0, reaches the most, and has few steps', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (most) => {
      const axis = axisOf(most);
      expect(axis[0]).toBe(0);
      expect(axis.at(-1)).toBeGreaterThanOrEqual(most);
      expect(axis.length).toBeLessThanOrEqual(6);
    }),
  );
});
