import { describe, expect, test } from '@jest/globals';
import type { Measurement } from '../measure/measurement.ts';
import { spread, summarise } from './summary.ts';

/** A second in which a contender with a gateway answered so many calls. */
function measurement(contender: string, round: number, calls: number, scenario = 'push'): Measurement {
  const cpuSeconds = { gateway: 0.5, mongod: 0.25, 'nats-server': 0.25, 'load generator': 0.5 };
  return {
    contender,
    scenario,
    clients: 64,
    round,
    load: {
      calls,
      errors: 0,
      firstError: undefined,
      seconds: 1,
      latencyMs: { mean: 1, p50: 1, p99: 2, p999: 3, max: 4 },
    },
    cost: { cpuSeconds, roundTrips: calls * 2, journalSyncs: calls, opcounters: {}, busIn: 0, busOut: 0 },
    memoryMB: { gateway: 100 + round, mongod: 200, 'nats-server': 20, 'load generator': 80 },
  };
}

describe('a summary', () => {
  test('has a table for each load, and in it a row for each contender in the order of the first round', () => {
    const tables = summarise([
      measurement('platform', 1, 100),
      measurement('other', 1, 50),
      measurement('platform', 1, 100, 'get'),
      measurement('other', 2, 50),
      measurement('platform', 2, 100),
    ]);
    expect(tables.map(({ scenario, rows }) => [scenario, rows.map(({ contender }) => contender)])).toEqual([
      ['push', ['platform', 'other']],
      ['get', ['platform']],
    ]);
  });

  test('compares with the first contender within each round, where the machine was the same', () => {
    const [table] = summarise([
      measurement('platform', 1, 100),
      measurement('other', 1, 50),
      measurement('other', 2, 10),
      measurement('platform', 2, 40),
    ]);
    const [platform, other] = table!.rows;
    expect(platform!.platformIsFaster).toBeUndefined();
    expect(other!.platformIsFaster).toEqual({ median: 3, min: 2, max: 4 });
  });

  test('divides costs by calls, and charges no contender for the load generator', () => {
    const [table] = summarise([measurement('platform', 1, 300), measurement('platform', 2, 700)]);
    expect(table!.rows[0]).toMatchObject({
      cpuPerThousand: 2,
      cpuByProcess: { gateway: 1, 'load generator': 1 },
      roundTripsPerCall: 2,
      memoryMB: 102,
      generatorPercent: 50,
    });
  });
});

test('a spread has the middle of an odd or an even number of values', () => {
  expect(spread([3, 1, 9])).toEqual({ median: 3, min: 1, max: 9 });
  expect(spread([4, 1, 9, 2])).toEqual({ median: 3, min: 1, max: 9 });
  expect(spread([7])).toEqual({ median: 7, min: 7, max: 7 });
});
