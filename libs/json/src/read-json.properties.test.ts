import { deepStrictEqual } from 'node:assert/strict';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonAmbiguityError, JsonSyntaxError } from './errors.ts';
import { ExactJson } from './exact-json.ts';
import { readJson } from './read-json.ts';
import { MAX_DEPTH } from './scanner/scan-json.ts';
import { bytesOf, jsonObjects, jsonValues, respelled, respelledString } from './test-support/json-texts.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value, or undefined when the runtime's own decoder and parser refuse the bytes. */
function natively(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(strictUtf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** Reads as JSON.parse does, refusing nothing more than ambiguous texts. */
function expectAgreement(bytes: Uint8Array): void {
  const expected = natively(bytes);
  let actual: unknown;
  try {
    actual = readJson(bytes, { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (error instanceof JsonAmbiguityError && expected !== undefined) return;
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect(expected).toBeUndefined();
    return;
  }
  deepStrictEqual({ value: actual }, expected);
}

describe('readJson agrees with JSON.parse', () => {
  test('on any value, however it is spelled', () => {
    fc.assert(
      fc.property(jsonValues, fc.gen(), (value, choose) => {
        const text = respelled(value, choose);
        deepStrictEqual(readJson(bytesOf(text), { maxDepth: MAX_DEPTH }), JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  test('on any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 6 }), expectAgreement));
  });

  test('on JSON with bytes changed, added, taken out or cut off', () => {
    const telling = Array.from(bytesOf('{}[]",:\\/u0129dDeE+-. \t\n\u0001tfn\u00e9'));
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      kind: fc.constantFrom('change', 'add', 'take out', 'cut off'),
      byte: fc.oneof(fc.constantFrom(...telling), fc.nat(255)),
    });
    fc.assert(
      fc.property(
        jsonValues,
        fc.gen(),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        (value, choose, edits) => {
          const bytes = Array.from(bytesOf(respelled(value, choose)));
          for (const { at, kind, byte } of edits) {
            const index = Math.floor(at * bytes.length);
            if (kind === 'change') bytes[index] = byte;
            if (kind === 'add') bytes.splice(index, 0, byte);
            if (kind === 'take out') bytes.splice(index, 1);
            if (kind === 'cut off') bytes.splice(index);
          }
          expectAgreement(Uint8Array.from(bytes));
        },
      ),
      { numRuns: 1500 },
    );
  });
});

test('exact members are the slice of the source that holds their value', () => {
  fc.assert(
    fc.property(jsonObjects, fc.gen(), (object, choose) => {
      const names = Object.keys(object);
      const exact = names.filter((_, index) => index % 2 === 0);
      const texts = new Map(Object.entries(object).map(([name, value]) => [name, respelled(value, choose)]));
      const members = names.map((name) => `${respelledString(name, choose)} :\n${texts.get(name)}`);
      const result = readJson(bytesOf(`{ ${members.join(' ,')} }`), { maxDepth: MAX_DEPTH, exact });

      deepStrictEqual(
        Object.entries(result as object).map(([name, value]) => [
          name,
          value instanceof ExactJson ? value.text : value,
        ]),
        Object.entries(object).map(([name]) => [
          name,
          exact.includes(name) ? texts.get(name) : JSON.parse(texts.get(name)!),
        ]),
      );
    }),
    { numRuns: 300 },
  );
});

test('a name that comes twice is found wherever it is and however it is spelled', () => {
  const steps = fc.array(fc.oneof(fc.nat(2), fc.string({ unit: anyCharacter })), { maxLength: 6 });
  const distinctNames = fc.uniqueArray(fc.string({ unit: anyCharacter }), {
    minLength: 1,
    maxLength: 40,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, distinctNames, fc.gen(), (path, names, choose) => {
      const repeated = choose(fc.constantFrom, ...names);
      const members = [...names, repeated].map((name) => `${respelledString(name, choose)}:null`);
      const text = path.reduceRight<string>(
        (inner, step) =>
          typeof step === 'number'
            ? `[${'{},'.repeat(step)}${inner}]`
            : `{${respelledString(step, choose)}:${inner}}`,
        `{${members.join(',')}}`,
      );

      expect(() => readJson(bytesOf(text), { maxDepth: MAX_DEPTH, exact: ['payload'] })).toThrow(
        expect.objectContaining({ reason: 'duplicate_name', path: [...path, repeated] }),
      );
    }),
    { numRuns: 300 },
  );
});
