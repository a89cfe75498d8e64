import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { codePointLength, text } from './text.ts';

describe('codePointLength', () => {
  test('counts what a string iterates over', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom('\ud83d', '\ude00', 'a', '😀'), fc.string()) }),
        (value) => {
          expect(codePointLength(value)).toBe([...value].length);
        },
      ),
    );
  });
});

describe('text', () => {
  test('accepts exactly the lengths that its published schema accepts', () => {
    const bounds = fc.tuple(fc.nat(6), fc.nat(6)).map(([min, more]) => ({ min, max: min + more }));
    const values = fc
      .array(fc.constantFrom('a', 'é', '😀', '\ud83d'), { maxLength: 14 })
      .map((units) => units.join(''));
    fc.assert(
      fc.property(bounds, values, ({ min, max }, value) => {
        const length = [...value].length;
        expect(text({ min, max }).safeParse(value).success).toBe(length >= min && length <= max);
      }),
    );
  });

  test('publishes its bounds', () => {
    expect(z.toJSONSchema(text({ min: 1, max: 200 }))).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 200,
    });
    expect(z.toJSONSchema(text({ max: 1000 }))).not.toHaveProperty('minLength');
  });
});
