import { expect, test } from '@jest/globals';
import { shortened } from './shortened.ts';

test('shortens windows, offsets and waits, but not below ten seconds, and nothing else', () => {
  const rules = [
    '- record: a:ratio_rate1d',
    '  expr: sum(rate(b{c="[1h]x"}[1d])) / a:ratio_rate5m + c[30m] offset 1h',
    '  for: 15m',
    '  summary: 3d',
    '  for: 5s',
  ].join('\n');
  expect(shortened(rules, 120)).toBe(
    [
      '- record: a:ratio_rate1d',
      '  expr: sum(rate(b{c="[30s]x"}[720s])) / a:ratio_rate5m + c[15s] offset 30s',
      '  for: 10s',
      '  summary: 3d',
      '  for: 5s',
    ].join('\n'),
  );
});
