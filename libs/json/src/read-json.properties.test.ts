import { deepStrictEqual } from 'node:assert/strict';
import { anyCharacter, fuzzParameters } from '@action-platform/testing/arbitraries';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExactJson } from './exact-json.ts';
import { readJson } from './read-json.ts';
import { MAX_DEPTH } from './scanner/scan-json.ts';
import { bytesOf, jsonObjects, respelled, respelledString } from './test-support/json-texts.ts';
import { checkJson, jsonTexts } from './test-support/reference.ts';

// The fuzz suite runs it longer.
test('json: readJson agrees with JSON.parse on any text, a few edits away from JSON, with the error of a text that has no single meaning', () => {
  fc.assert(fc.property(jsonTexts, checkJson), fuzzParameters(2_000));
});

test('however a member is spelled, an exact one is its slice of the source, and any other one is the value of JSON.parse', () => {
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
