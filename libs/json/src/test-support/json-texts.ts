import { anyCharacter } from '@action-platform/testing/arbitraries';
import fc, { type GeneratorValue } from 'fast-check';

/** Names that mean something to JavaScript objects, and some that meet each other often. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const awkwardNames = [...inherited, '', '0', '1', 'a', 'b', 'é', '😀'];

const names = fc.oneof(fc.constantFrom(...awkwardNames), fc.string({ unit: anyCharacter, maxLength: 20 }));

const numbers = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { value: anyValue, object: anyObject } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false),
      numbers,
      fc.string({ unit: anyCharacter }),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('object'),
    ),
    // Unlike an object literal or an assignment, fromEntries makes `__proto__` an own property.
    object: fc
      .array(fc.tuple(names, tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries<unknown>(entries)),
  }),
);

/** JavaScript values that JSON can write without loss, -0 aside. */
export const jsonValues = anyValue;

/** The objects among {@link jsonValues}. */
export const jsonObjects = anyObject;

/** A value of JSON with 0 for -0, which JSON.stringify writes as 0. */
export function withoutNegativeZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** UTF-8 of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A JSON text among the many that mean this value: white space, order of members, escapes and numbers vary. */
export function respelled(value: unknown, choose: GeneratorValue): string {
  const gap = () => choose(fc.constantFrom, '', '', '', ' ', '\n', '\r\n\t');
  const list = (open: string, parts: string[], close: string) =>
    open + (parts.map((part) => gap() + part + gap()).join(',') || gap()) + close;

  if (typeof value === 'string') return respelledString(value, choose);
  if (typeof value === 'number') return respelledNumber(value, choose);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    return list(
      '[',
      value.map((item) => respelled(item, choose)),
      ']',
    );
  }
  const entries = Object.entries(value);
  // Numbers, as fast-check takes objects for the same now and then whose members have the names of what is inherited.
  const order = choose(fc.shuffledSubarray<number>, [...entries.keys()], { minLength: entries.length });
  const members = order.map((index) => {
    const [name, member] = entries[index]!;
    return `${respelledString(name, choose)}${gap()}:${gap()}${respelled(member, choose)}`;
  });
  return list('{', members, '}');
}

/** A JSON string among those that mean this text: all, none or some characters as `\uXXXX`. */
export function respelledString(value: string, choose: GeneratorValue): string {
  const escapedOf = choose(fc.constantFrom, 0, 1, 3);
  const written = Array.from(value, (character, index) =>
    index % 4 < escapedOf ? unicodeEscapes(character) : JSON.stringify(character).slice(1, -1),
  );
  return `"${written.join('')}"`;
}

/** The character as `\uXXXX`, or two of them, with digits of both cases. */
function unicodeEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const digits = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${index % 2 === 0 ? digits : digits.toUpperCase()}`;
  }).join('');
}

/** A JSON number among those that have this exact decimal value. */
function respelledNumber(value: number, choose: GeneratorValue): string {
  const written = JSON.stringify(value);
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(written) ?? [];
  const digits = integer + fraction;
  const power = Number(exponent) - fraction.length;
  const zeros = choose(fc.nat, 3);
  const spelling = choose(fc.constantFrom, 'shortest', 'trailing zeros', 'leading zeros');
  if (spelling === 'shortest') return written;
  if (spelling === 'leading zeros') {
    return `${sign}0.${'0'.repeat(zeros)}${digits}E${withSign(power + digits.length + zeros)}`;
  }
  if (value === 0) return `-0.${'0'.repeat(zeros + 1)}e${zeros}`;
  return `${sign}${BigInt(digits)}${'0'.repeat(zeros)}e${power - zeros}`;
}

function withSign(exponent: number): string {
  return exponent < 0 ? `-00${-exponent}` : `+${exponent}`;
}
