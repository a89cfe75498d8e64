import fc, { type Arbitrary } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff - SURROGATES.count;

/**
 * One code point of Unicode. The same as fast-check's `unit: 'binary'`, which first builds a table of all 1.1 million in
 * every test file.
 */
export const anyCharacter: Arbitrary<string> = fc.nat(LAST).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (value) => {
    const codePoint = isCharacter(value) ? value.codePointAt(0)! : Number.NaN;
    return codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count;
  },
);

const isCharacter = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && [...value].length === 1;

export { type Edit, edited, edits, pieces } from './edits.ts';
export { fuzzParameters } from './fuzz-parameters.ts';
