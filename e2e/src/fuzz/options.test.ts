import { describe, expect, test } from '@jest/globals';
import { readOptions } from './options.ts';

describe('npm run e2e -- fuzz takes', () => {
  test.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
  ])('--for %s', (time, forMs) => {
    expect(readOptions(['--for', time]).forMs).toBe(forMs);
  });

  test('targets, a seed and a case', () => {
    const args = ['--only', 'bus,json', '--seed', '7', '--replay', 'a.json'];
    expect(readOptions(args)).toMatchObject({ only: ['bus', 'json'], seed: 7, replay: 'a.json' });
  });

  test('no options: a minute of every target, with a new seed', () => {
    expect(readOptions([])).toMatchObject({
      forMs: 60_000,
      only: ['json', 'http', 'bus'],
      replay: undefined,
    });
  });

  test.each([
    [['--for', '10'], /^--for takes/],
    [['--for', '0s'], /^--for takes/],
    [['--only', 'xml'], /^--only takes/],
    [['--seed', 'x'], /^--seed takes/],
  ])('not %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
