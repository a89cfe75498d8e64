import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalNumber } from './canonical-number.ts';

describe('canonicalNumber', () => {
  test.each([
    ['1', '1', '1.0', '10e-1', '1E0', '0.1e1', '0.001e+3', '1e-0', '100e-0002'],
    ['0', '0', '-0', '0.00', '0e5', '-0.0E-99999999999999999999'],
    ['-15e2', '-1500', '-1.5e3', '-15E+2'],
    ['12345678901234567891', '12345678901234567891', '12345678901234567891.000'],
    ['1e400', '1e400', '10e399', '0.1e401'],
    ['1e-7', '0.0000001', '1e-7', '10e-8'],
  ])('%s is the one spelling of %s', (canonical, ...spellings) => {
    expect(spellings.map(canonicalNumber)).toEqual(spellings.map(() => canonical));
  });

  test('adds to exponents of any length', () => {
    const exponents = fc.oneof(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc
        .tuple(fc.integer({ min: 14, max: 40 }), fc.integer({ min: -30, max: 30 }), fc.constantFrom(1n, -1n))
        .map(([power, offset, sign]) => sign * (10n ** BigInt(power) + BigInt(offset))),
    );
    fc.assert(
      fc.property(exponents, fc.nat(40), fc.nat(40), (exponent, zeros, decimals) => {
        const written = `7${'0'.repeat(zeros)}.${'0'.repeat(decimals)}0e${exponent}`;
        const expected = exponent + BigInt(zeros);
        expect(canonicalNumber(written)).toBe(expected === 0n ? '7' : `7e${expected}`);
        expect(canonicalNumber(`0.${'0'.repeat(decimals)}7e${exponent}`)).toBe(
          canonicalNumber(`7e${exponent - BigInt(decimals) - 1n}`),
        );
      }),
      { numRuns: 500 },
    );
  });
});
