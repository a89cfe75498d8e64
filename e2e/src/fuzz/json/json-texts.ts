import fc, { type Arbitrary } from 'fast-check';
import { edited, edits, pieces } from '../mutated-text.ts';

/** Texts that parsers of JSON mishandle. */
const PIECES = pieces(String.raw`
  {  }  [  ]  ,  :  \"  \\  /  \\u  \\ud83d  \\ude00  \\u0000  \\u0061  \\\"  \u0020  \n  \t  \r  \f  \u000b  \u0000
  true  false  null  nul  NaN  -  +  .  e  E  0  00  -0  1e400  -1e-400  0.1e+07  \u007f  \u001f  \"\"  {}  []  [[
  12345678901234567890  12345678901234567891  1E99999999999999999999
  {\"a\":  \"__proto__\":  \"a\":  \"a\":null,  \"payload\":
`);

/** Malformed and unusual UTF-8, byte by byte: a byte order mark, U+2028, a surrogate, an overlong slash, U+1F600. */
const BYTES = pieces(String.raw`
  \u00ef\u00bb\u00bf  \u00e2\u0080\u00a8  \u00ed\u00a0\u0080  \u00c0\u00af  \u00f0\u009f\u0098\u0080  \u00f0\u009f  \u00ff  \u00c3\u00a9
`);

const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '1', '1.0', '10e-1', '1e0', '0.10', '1e400', '-1E-7', '12345678901234567890'),
  fc.maxSafeInteger().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const names = fc.constantFrom(
  'a',
  'b',
  'a',
  '\\u0061',
  '',
  '__proto__',
  'payload',
  'constructor',
  '0',
  'toString',
);
const strings = fc.oneof(
  fc.constantFrom('', 'a', '\\n', '\\u0041', '\\ud83d\\ude00', '\\ud83d', '\xc3\xa9', '\\/'),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text).slice(1, -1)),
);
const gaps = fc.constantFrom('', '', '', '', ' ', '\n\t');

const { value: anyText, object: objectText } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    numbers,
    strings.map((text) => `"${text}"`),
    fc
      .tuple(gaps, fc.array(tie('value'), { maxLength: 4 }))
      .map(([gap, items]) => `[${gap}${items.join(`${gap},`)}]`),
    tie('object'),
  ),
  object: fc
    .tuple(gaps, fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }))
    .map(
      ([gap, members]) => `{${members.map(([name, value]) => `${gap}"${name}":${gap}${value}`).join(',')}}`,
    ),
}));

/** Two texts, each a string of bytes (U+0000 to U+00FF). */
export interface JsonTexts {
  readonly text: string;
  /** Often the same value or a similar one in another spelling. */
  readonly other: string;
}

/** JSON texts, and texts a few edits away from JSON. */
export const jsonTexts: Arbitrary<JsonTexts> = fc
  .record({
    text: fc.oneof({ weight: 3, arbitrary: objectText }, anyText),
    other: fc.option(fc.oneof({ weight: 3, arbitrary: objectText }, anyText), { nil: undefined }),
    changes: fc.oneof(fc.constant([]), edits([...PIECES, ...BYTES])),
    otherChanges: fc.oneof(fc.constant([]), edits([...PIECES, ...BYTES])),
  })
  .map(({ text, other = text, changes, otherChanges }) => ({
    text: edited(text, changes),
    other: edited(other, otherChanges),
  }));
