import assert from 'node:assert/strict';
import { edited, edits, pieces } from '@action-platform/testing/arbitraries';
import fc, { type Arbitrary } from 'fast-check';
import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError } from '../errors.ts';
import { readJson } from '../read-json.ts';
import { MAX_DEPTH } from '../scanner/scan-json.ts';
import { stringifyJson } from '../stringify.ts';

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

/** Names, of which many are the same in another spelling. */
const names = fc.constantFrom('a', 'b', String.raw`\u0061`, 'payload', '__proto__', 'constructor', '');

/** Objects, often with a name that comes twice. */
const { object } = fc.letrec<{ object: string }>((tie) => ({
  object: fc
    .array(fc.tuple(names, fc.oneof({ depthSize: 'small' }, fc.json(), tie('object'))), { maxLength: 4 })
    .map((members) => `{${members.map(([name, value]) => `"${name}": ${value}`)}}`),
}));

/** JSON texts, and texts a few edits away from JSON, as bytes (U+0000 to U+00FF). */
export const jsonTexts: Arbitrary<string> = fc
  .tuple(object, fc.oneof(fc.constant([]), edits([...PIECES, ...BYTES])))
  .map(([text, changes]) => edited(Buffer.from(text).toString('latin1'), changes));

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** A name or a string, and whether it is a name; or a bracket or a brace. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[[\]{}]/gs;

/** Compares readJson with the runtime's own parser. @throws AssertionError when they differ */
export function checkJson(text: string): void {
  const bytes = Buffer.from(text, 'latin1');
  for (const maxDepth of [MAX_DEPTH, 8]) {
    const expected = expectedOf(bytes, maxDepth);
    for (const exact of [[], ['payload', 'a', '__proto__']]) {
      if ('errors' in expected) {
        assert.throws(() => readJson(bytes, { maxDepth, exact }), isOneOf(expected.errors));
        continue;
      }
      const value = readJson(bytes, { maxDepth, exact });
      if (exact.length === 0) assert.deepStrictEqual(value, expected.value);
      assert.equal(JSON.stringify(JSON.parse(stringifyJson(value))), JSON.stringify(expected.value));
    }
  }
}

type Refusal = abstract new (...parts: never[]) => Error;

const isOneOf = (errors: readonly Refusal[]) => (error: unknown) =>
  errors.some((each) => error instanceof each);

/** The value of a text with exactly one meaning, otherwise the errors that readJson may throw. */
function expectedOf(bytes: Buffer, maxDepth: number): { value: unknown } | { errors: readonly Refusal[] } {
  let text: string;
  try {
    text = strictUtf8.decode(bytes);
  } catch {
    return { errors: [JsonSyntaxError] };
  }
  const tokens = [...text.matchAll(TOKENS)];
  const isDeep = depthOf(tokens) > maxDepth;
  try {
    const value: unknown = JSON.parse(text);
    if (isDeep) return { errors: [JsonDepthError] };
    return isAmbiguous(tokens, value) ? { errors: [JsonAmbiguityError] } : { value };
  } catch {
    // readJson refuses a text at the first level too deep, without reading the rest.
    return { errors: isDeep ? [JsonSyntaxError, JsonDepthError] : [JsonSyntaxError] };
  }
}

function depthOf(tokens: readonly RegExpExecArray[]): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of tokens) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    if (token === '}' || token === ']') depth--;
  }
  return deepest;
}

/** Whether a name comes twice in an object, or a string has a lone surrogate (RFC 7493, sections 2.1 and 2.3). */
function isAmbiguous(tokens: readonly RegExpExecArray[], value: unknown): boolean {
  const strings = tokens.flatMap(([, string]) => string ?? []);
  const written = tokens.filter(([, , isName]) => isName !== undefined).length;
  // JSON.parse keeps one of two members with one name.
  return (
    written !== namesIn(value) || strings.some((string) => !(JSON.parse(string) as string).isWellFormed())
  );
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below = Object.values(value).reduce((sum: number, member) => sum + namesIn(member), 0);
  return Array.isArray(value) ? below : below + Object.keys(value).length;
}
