import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareNumbers, hasDouble, isWholeNumber } from './decimal.ts';

/** A number as its digits and its exponent, and a spelling of it. */
const numbers = fc
  .record({
    digits: fc.oneof(
      fc.bigInt({ min: -200n, max: 200n }),
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
    ),
    exponent: fc.integer({ min: -30, max: 30 }),
    zeros: fc.nat(3),
  })
  .map(({ digits, exponent, zeros }) => ({
    scaled: digits * 10n ** BigInt(exponent + 30),
    text: `${digits}${zeros === 0 ? '' : `.${'0'.repeat(zeros)}`}e${exponent}`,
  }));

test('numbers are compared, and integers known, to the last digit', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const expected = one.scaled < other.scaled ? -1 : Number(one.scaled > other.scaled);
      // Equal negative numbers compare as -0.
      expect(Math.sign(compareNumbers(one.text, other.text)) === expected).toBe(true);
      expect(isWholeNumber(one.text)).toBe(one.scaled % 10n ** 30n === 0n);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['1e99999999999999999999', '1e100000000000000000000'],
  ['-1e100000000000000000000', '-1e99999999999999999999'],
  ['1e-100000000000000000000', '1e-99999999999999999999'],
  ['-1e400', '0'],
  ['100', '100.00000000000000000001'],
])('%s is less than %s', (less, more) => {
  expect(compareNumbers(less, more)).toBeLessThan(0);
  expect(compareNumbers(more, less)).toBeGreaterThan(0);
});

test.each([
  ['0.1', true],
  ['-0', true],
  ['1e21', true],
  ['9007199254740992.0', true],
  ['9007199254740993', false],
  ['100.00000000000000000001', false],
  ['1e400', false],
  ['1e-400', false],
])('the double of %s has its value: %s', (text, isExact) => {
  expect(hasDouble(text)).toBe(isExact);
});
