import { describe, expect, test } from '@jest/globals';
import type { Measurement } from './rounds.ts';
import { spread, summarize } from './summary.ts';

/** A second in which a contender with a gateway answered this number of calls. */
function measurement(contender: string, calls: number, more: Partial<Measurement> = {}): Measurement {
  const use = { peakMB: 100, growth: 1 };
  const ms = { p50: 1, p99: 2, max: 4 };
  const outcomes = { attempts: calls, calls, refused: 0, others: {}, firstFailure: undefined };
  return {
    what: 'push',
    clients: 64,
    contender,
    perCall: 1,
    load: { seconds: 1, cpuSeconds: 0.5, ...outcomes, ms, lateMs: ms },
    uses: { gateway: { ...use, cpuSeconds: 0.5 }, mongod: { ...use, cpuSeconds: 0.25 } },
    roundTrips: calls * 2,
    journalSyncs: calls,
    ...more,
  };
}

describe('a summary', () => {
  test('has a table for each load, and in it a row for each contender in the order of the first round', () => {
    const tables = summarize([
      measurement('platform', 100),
      measurement('other', 50),
      measurement('platform', 100, { what: 'get' }),
      measurement('other', 50),
      measurement('platform', 100),
    ]);
    expect(tables.map(({ what, rows }) => [what, rows.map(({ contender }) => contender)])).toEqual([
      ['push', ['platform', 'other']],
      ['get', ['platform']],
    ]);
  });

  test('compares with the first contender within each round, where the machine was the same', () => {
    const [table] = summarize([
      measurement('platform', 100),
      measurement('other', 50),
      measurement('other', 10),
      measurement('platform', 40),
    ]);
    const [platform, other] = table!.rows;
    expect(platform!.firstIsFaster).toBeUndefined();
    expect(other!.firstIsFaster).toEqual({ median: 3, min: 2, max: 4 });
  });

  test('compares items, where calls return several', () => {
    const [table] = summarize([measurement('grown', 10, { perCall: 100 }), measurement('small', 1_000)]);
    expect(table!.rows[1]!.firstIsFaster!.median).toBe(1);
  });

  test('divides costs by calls', () => {
    const [table] = summarize([measurement('platform', 300), measurement('platform', 700)]);
    expect(table!.rows[0]).toMatchObject({
      cpuMicros: { gateway: 1000, mongod: 500 },
      roundTripsPerCall: 2,
      generatorPercent: 50,
    });
  });
});

test('a spread has the middle of an odd or an even number of values', () => {
  expect(spread([3, 1, 9])).toEqual({ median: 3, min: 1, max: 9 });
  expect(spread([4, 1, 9, 2])).toEqual({ median: 3, min: 1, max: 9 });
  expect(spread([7])).toEqual({ median: 7, min: 7, max: 7 });
});
