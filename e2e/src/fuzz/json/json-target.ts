import { isDeepStrictEqual } from 'node:util';
import {
  canonicalJson,
  canonicalJsonAsync,
  ExactJson,
  JsonAmbiguityError,
  JsonDepthError,
  JsonSyntaxError,
  JsonTooManyValuesError,
  jsonChunks,
  MAX_DEPTH,
  mergePatch,
  mergePatchAsync,
  readJson,
  readJsonAsync,
  stringifyJson,
} from '@action-platform/json';
import { Finding, requireThat, type Target } from '../target.ts';
import { type JsonTexts, jsonTexts } from './json-texts.ts';
import { type Meaning, meaningOf, mergedValue, type Value } from './reference.ts';

/** Only work that grows faster than the text takes so long, in milliseconds. */
const TIMEOUT_MS = 10_000;
const MAX_VALUES = 20;
const EXACT = ['payload', 'a', '__proto__'];

type Refusal = abstract new (...parts: never[]) => Error;

/** The errors that reading may throw. Any other error of `libs/json` is a finding. */
const REFUSALS: readonly Refusal[] = [
  JsonSyntaxError,
  JsonDepthError,
  JsonAmbiguityError,
  JsonTooManyValuesError,
];

/** Compares `libs/json` with the runtime's own parser and a literal RFC 7396. */
export const jsonTarget: Target<JsonTexts> = {
  name: 'json',
  inputs: jsonTexts,
  check,
  close: async () => {},
};

async function check({ text, other }: JsonTexts): Promise<void> {
  const begun = performance.now();
  const one = await checkOne(Buffer.from(text, 'latin1'));
  const two = await checkOne(Buffer.from(other, 'latin1'));
  if (one !== undefined && two !== undefined) await checkPair(one, two);
  requireThat(performance.now() - begun < TIMEOUT_MS, 'takes longer than a text of its size may');
}

/** A text with exactly one meaning. */
interface Readable {
  readonly text: string;
  readonly value: Value;
  readonly canonical: string;
}

async function checkOne(bytes: Uint8Array): Promise<Readable | undefined> {
  const meaning = meaningOf(bytes, MAX_DEPTH);
  for (const maxDepth of [MAX_DEPTH, 8]) {
    const expected = refusalFor(meaning, maxDepth);
    const plain = outcomeOf(() => readJson(bytes, { maxDepth }));
    requireOutcome('readJson', plain, expected);
    const exact = outcomeOf(() => readJson(bytes, { maxDepth, exact: EXACT }));
    requireOutcome('readJson with exact members', exact, expected);
    if ('value' in plain) {
      const { native } = meaning!.parsed!;
      requireThat(isDeepStrictEqual(plain.value, native), 'readJson reads something else than JSON.parse');
      await checkWritten((exact as { value: unknown }).value, native);
    }
  }
  await checkMaxValues(bytes, meaning);
  const value = meaning?.parsed?.value;
  return value === undefined ? undefined : await checkCanonical(meaning!.text, value);
}

/** The error for a text; undefined when it has exactly one meaning. */
function refusalFor(meaning: Meaning | undefined, maxDepth: number): readonly Refusal[] {
  if (meaning === undefined) return [JsonSyntaxError];
  // The parser refuses a text at the first level too deep, without reading the rest.
  if (meaning.parsed === undefined) {
    return meaning.depth > maxDepth ? [JsonSyntaxError, JsonDepthError] : [JsonSyntaxError];
  }
  if (meaning.depth > maxDepth) return [JsonDepthError];
  return meaning.parsed.value === undefined ? [JsonAmbiguityError] : [];
}

type Outcome<Result> = { readonly value: Result } | { readonly error: unknown };

function outcomeOf<Result>(work: () => Result): Outcome<Result> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function requireOutcome(what: string, outcome: Outcome<unknown>, expected: readonly Refusal[]): void {
  const named = expected.map(({ name }) => name).join(' or ') || 'a value';
  const got = 'value' in outcome ? 'a value' : String((outcome.error as Error).name);
  const isExpected =
    'value' in outcome ? expected.length === 0 : expected.some((refusal) => outcome.error instanceof refusal);
  requireThat(isExpected, `${what} gives ${got}, and not ${named}`);
}

/** Writing a parsed value gives the same text as JSON.stringify, in one piece and in chunks. */
async function checkWritten(value: unknown, native: unknown): Promise<void> {
  const written = stringifyJson(value);
  requireThat(
    JSON.stringify(JSON.parse(written)) === JSON.stringify(native),
    'stringifyJson writes something else than was read',
  );
  // Joining small chunks of a long text takes long.
  const chunkBytes = Math.max(3, Math.ceil(written.length / 100));
  const chunks = await Array.fromAsync(jsonChunks(value, { chunkBytes }));
  requireThat(chunks.join('') === written, 'jsonChunks writes something else than stringifyJson');
}

/** The parser refuses a text with too many values. A worker thread reads the same as the main thread. */
async function checkMaxValues(bytes: Uint8Array, meaning: Meaning | undefined): Promise<void> {
  const options = { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES };
  const here = outcomeOf(() => readJson(bytes, options));
  const there = await readJsonAsync(bytes, options).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const value = meaning?.parsed?.value;
  const isTooMany = value !== undefined && countOf(value) > MAX_VALUES;
  const expected = isTooMany ? [JsonTooManyValuesError] : refusalFor(meaning, MAX_DEPTH);
  requireOutcome('readJson with maxValues', here, expected);
  requireThat(isDeepStrictEqual(partsOf(here), partsOf(there)), 'readJsonAsync differs from readJson');
}

function countOf(value: Value): number {
  if (value instanceof Map) return [...value.values()].reduce((sum, member) => sum + countOf(member), 1);
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + countOf(item), 1) : 1;
}

/** The comparable part of an outcome: an error of another thread has another stack. */
function partsOf(outcome: Outcome<unknown>): unknown {
  if ('value' in outcome) return outcome;
  const { error } = outcome;
  if (!REFUSALS.some((refusal) => error instanceof refusal)) throw new Finding(`throws ${error}`);
  const { stack: _stack, ...parts } = error as Error;
  return { ...parts, message: (error as Error).message };
}

async function checkCanonical(text: string, value: Value): Promise<Readable> {
  const canonical = canonicalJson(text);
  requireThat(canonicalJson(canonical) === canonical, 'the canonical text has another canonical text');
  const { parsed } = meaningOf(Buffer.from(canonical), MAX_DEPTH) ?? {};
  requireThat(isDeepStrictEqual(parsed?.value, value), 'the canonical text has another value');
  const exact = ExactJson.parse(text, { maxDepth: MAX_DEPTH });
  requireThat(exact.text === text.trim(), 'ExactJson keeps another text');
  requireThat(
    (await canonicalJsonAsync(exact)) === canonical,
    'canonicalJsonAsync differs from canonicalJson',
  );
  return { text, value, canonical };
}

async function checkPair(one: Readable, two: Readable): Promise<void> {
  const isSame = isDeepStrictEqual(one.value, two.value);
  requireThat(
    (one.canonical === two.canonical) === isSame,
    `two texts are ${isSame ? 'not ' : ''}taken for the same`,
  );
  const [target, patch] = [new ExactJson(one.text.trim()), new ExactJson(two.text.trim())];
  const merged = outcomeOf(() => mergePatch(target, patch));
  if (!(one.value instanceof Map && two.value instanceof Map)) {
    requireOutcome('mergePatch of what is no object', merged, [TypeError]);
    return;
  }
  requireOutcome('mergePatch', merged, []);
  const { text } = (merged as { value: ExactJson }).value;
  const expected = mergedValue(one.value, two.value);
  requireThat(
    isDeepStrictEqual(meaningOf(Buffer.from(text), MAX_DEPTH)?.parsed?.value, expected),
    'mergePatch differs from RFC 7396',
  );
  const again = mergePatch(new ExactJson(text), patch);
  requireThat(
    canonicalJson(again) === canonicalJson(text),
    'applying a patch twice differs from applying it once',
  );
  requireThat(
    (await mergePatchAsync(target, patch)).text === text,
    'mergePatchAsync differs from mergePatch',
  );
}
