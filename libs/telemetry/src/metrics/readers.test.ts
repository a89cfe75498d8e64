import { expect, test } from '@jest/globals';
import { interval } from './readers.ts';

test.each([
  [undefined, undefined, 60_000, 30_000],
  ['5000', undefined, 5_000, 5_000],
  ['60s', '0', 60_000, 30_000],
  ['-1', '100', 60_000, 100],
])(
  'an interval of %s and a timeout of %s are %d and %d ms',
  (every, timeout, exportIntervalMillis, exportTimeoutMillis) => {
    const environment = { OTEL_METRIC_EXPORT_INTERVAL: every, OTEL_METRIC_EXPORT_TIMEOUT: timeout };
    expect(interval(environment)).toEqual({ exportIntervalMillis, exportTimeoutMillis });
  },
);
