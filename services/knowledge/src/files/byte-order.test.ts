import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareByBytes } from './byte-order.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}') }),
);

test('texts compare as their UTF-8 bytes do', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const expected = Buffer.compare(Buffer.from(one), Buffer.from(other));
      expect(Math.sign(compareByBytes(one, other))).toBe(expected);
    }),
  );
});
