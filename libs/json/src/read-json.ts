import { JsonSyntaxError } from './errors.ts';
import { ExactJson } from './exact-json.ts';
import { textOf } from './scanner/json-tree.ts';
import { scanJson } from './scanner/scan-json.ts';

/** Keeps a byte order mark in the text, where the JSON grammar has no place for it (RFC 8259, section 8.1). */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What to accept, and what to keep as text. */
export interface ReadJsonOptions {
  /** Levels of objects and arrays to accept, 0 to `MAX_DEPTH`; `{"a":{}}` has two. */
  maxDepth: number;
  /** Names of the members of a top-level object that are kept as {@link ExactJson} instead of being parsed. */
  exact?: readonly string[];
}

/**
 * Reads UTF-8 bytes as one JSON value of any kind (RFC 8259), and refuses what RFC 7493 calls open to interpretation:
 * repeated member names and lone surrogates, at any depth.
 *
 * Every member, `__proto__` too, becomes an own property of the object it stands in.
 *
 * @throws JsonSyntaxError when the bytes are not UTF-8 or the text is not JSON; a byte order mark is not JSON.
 * @throws JsonDepthError as soon as the nesting is too deep, without looking at the rest.
 * @throws JsonAmbiguityError when the text is JSON, and not too deep, but has no single meaning.
 * @throws RangeError when `maxDepth` is not an integer from 0 to `MAX_DEPTH`.
 */
export function readJson(input: Uint8Array, { maxDepth, exact = [] }: ReadJsonOptions): unknown {
  const text = decodeUtf8(input);
  const root = scanJson(text, { maxDepth, recordDepth: 1 });
  if (root.kind !== 'object' || !root.members.some(({ name }) => exact.includes(name))) {
    return JSON.parse(text);
  }
  const result: Record<string, unknown> = {};
  for (const { name, value } of root.members) {
    const valueText = textOf(text, value);
    setOwn(result, name, exact.includes(name) ? new ExactJson(valueText) : JSON.parse(valueText));
  }
  return result;
}

/** Assigning to `__proto__` would set the prototype; defining it does not, but is too slow for every other name. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
}

/**
 * Decodes UTF-8.
 *
 * @throws JsonSyntaxError when the bytes are not UTF-8, with the offset of the first character that is not.
 */
export function decodeUtf8(input: Uint8Array): string {
  try {
    return strictDecoder.decode(input);
  } catch {
    throw new JsonSyntaxError('Malformed UTF-8', malformedOffset(input));
  }
}

/** Writes the text back with each malformed part as U+FFFD: it is malformed from the first byte that differs. */
function malformedOffset(input: Uint8Array): number {
  const repaired = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(input));
  const byteOffset = repaired.findIndex((byte, index) => byte !== input[index]);
  const wellFormed = input.subarray(0, byteOffset);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(wellFormed, { stream: true }).length;
}
