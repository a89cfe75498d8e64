import fc, { type Arbitrary } from 'fast-check';

/** A change of a text. Positions and lengths are fractions, so that one edit fits every text. */
export interface Edit {
  readonly kind: 'replace' | 'insert' | 'remove' | 'repeat' | 'cut off';
  readonly at: number;
  readonly length: number;
  readonly piece: string;
  readonly times: number;
}

/** Pieces, each escaped as in a JSON string, separated by two spaces or more or a line break. */
export function pieces(text: string): string[] {
  return text
    .trim()
    .split(/\s{2,}/)
    .map((piece) => JSON.parse(`"${piece}"`) as string);
}

/** No text grows beyond this, in characters. */
const LONGEST = 400_000;
const LONGEST_REPEATED = 64;

const fraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** Edits with pieces that have a meaning to the parser of the text, and with any byte (as the character U+0000 to U+00FF). */
export function edits(from: readonly string[], maxLength = 4): Arbitrary<Edit[]> {
  const anyByte = fc.nat(255).map((byte) => String.fromCharCode(byte));
  const edit = fc.record({
    kind: fc.constantFrom<Edit['kind'][]>('replace', 'insert', 'remove', 'repeat', 'cut off'),
    at: fraction,
    length: fc.oneof({ weight: 4, arbitrary: fc.double({ min: 0, max: 0.1, noNaN: true }) }, fraction),
    piece: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...from) }, { weight: 1, arbitrary: anyByte }),
    times: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 2, max: 9 }) },
      fc.integer({ min: 2, max: 20_000 }),
    ),
  });
  return fc.array(edit, { maxLength });
}

/** Applies the edits one after the other. */
export function edited(text: string, changes: readonly Edit[]): string {
  return changes.reduce(edit, text);
}

function edit(text: string, { kind, at, length, piece, times }: Edit): string {
  const start = Math.floor(at * (text.length + 1));
  const end = Math.min(text.length, start + Math.max(1, Math.floor(length * text.length)));
  const [before, middle, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (kind) {
    case 'replace':
      return before + piece + after;
    case 'insert':
      return before + piece + middle + after;
    case 'remove':
      return before + after;
    case 'repeat': {
      const repeated = middle.slice(0, LONGEST_REPEATED) || piece;
      const room = Math.floor(Math.max(0, LONGEST - text.length) / repeated.length);
      return before + repeated.repeat(Math.min(times, room)) + middle.slice(LONGEST_REPEATED) + after;
    }
    case 'cut off':
      return before;
  }
}
