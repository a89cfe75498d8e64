import fc, { type Arbitrary } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff - SURROGATES.count;

/**
 * One character, of all that Unicode has room for. The same as fast-check's `unit: 'binary'`, which every test file
 * would have to wait for: it puts all 1.1 million of them into a table first.
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
