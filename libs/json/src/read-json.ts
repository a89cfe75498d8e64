import { hasDouble } from './decimal.ts';
import { JsonAmbiguityError, JsonSyntaxError, JsonTooManyValuesError } from './errors.ts';
import { ExactJson } from './exact-json.ts';
import { type MemberNode, textOf } from './scanner/json-tree.ts';
import { type SetAside, scanJson } from './scanner/scan-json.ts';

/** Keeps a byte order mark in the text, where the JSON grammar has no place for it (RFC 8259, section 8.1). */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The limits of the reader, and the members to keep as text. */
export interface ReadJsonOptions {
  /** Levels of objects and arrays to accept, 0 to `MAX_DEPTH`; `{"a":{}}` has two. */
  maxDepth: number;
  /** Names of the members of a top-level object that are kept as {@link ExactJson} instead of being parsed. */
  exact?: readonly string[];
  /**
   * The member of each object in a top-level array that is kept as {@link ExactJson}. In the place of an ambiguous one is its
   * JsonAmbiguityError, so that the others can be read.
   */
  exactItems?: ExactItems | undefined;
  /** The most values, the top-level one and each in it, outside the exact members; unlimited by default. */
  maxValues?: number;
  /** Whether a number that no double has the value of is kept as {@link ExactJson}; otherwise the nearest double takes its place. */
  exactNumbers?: boolean;
}

/**
 * Reads UTF-8 bytes as one JSON value of any kind (RFC 8259), and refuses texts that RFC 7493 excludes as ambiguous: repeated
 * member names and lone surrogates, at any depth.
 *
 * Every member, `__proto__` too, becomes an own property of its object.
 *
 * @throws JsonSyntaxError when the bytes are not UTF-8 or the text is not JSON; a byte order mark is not JSON.
 * @throws JsonDepthError as soon as the nesting is too deep, without looking at the rest.
 * @throws JsonAmbiguityError when the text is JSON, and not too deep, but has no single meaning.
 * @throws JsonTooManyValuesError when such a text has more values than `maxValues`.
 * @throws RangeError when `maxDepth` is not an integer from 0 to `MAX_DEPTH`.
 */
export function readJson(input: Uint8Array, options: ReadJsonOptions): unknown {
  return checked(input, options).value;
}

/** An array of objects, and the member of each. */
type ExactItems = Pick<SetAside, 'array' | 'member'>;

/** An exact member of an object in an array: its text, and what is ambiguous in it. */
interface ExactItem {
  readonly index: number;
  readonly text: string;
  readonly ambiguity?: Pick<JsonAmbiguityError, 'reason' | 'path'>;
}

/** The text of a value, with null in the places of its exact members, and the texts of these by name. */
export interface Outline {
  readonly around: string;
  readonly exact: readonly (readonly [name: string, text: string])[];
  readonly items?: ExactItems & { readonly exact: readonly ExactItem[] };
  readonly exactNumbers: boolean;
}

/** The outline of what {@link readJson} would read; throws what it would throw. */
export function outlineOf(input: Uint8Array, options: ReadJsonOptions): Outline {
  return checked(input, options).outline;
}

/** The value of an outline. */
export function valueOfOutline({ around, exact, items, exactNumbers }: Outline): unknown {
  const value = exactNumbers ? JSON.parse(around, exactNumber) : JSON.parse(around);
  // Each name is an own property already, `__proto__` too, so none of these assignments sets a prototype.
  for (const [name, text] of exact) value[name] = new ExactJson(text);
  for (const { index, text, ambiguity } of items?.exact ?? [])
    value[items!.array][index][items!.member] = ambiguity
      ? new JsonAmbiguityError(ambiguity.reason, ambiguity.path)
      : new ExactJson(text);
  return value;
}

/** A reviver of `JSON.parse` that keeps the text of a number without a double. */
function exactNumber(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && !hasDouble(source!) ? new ExactJson(source!) : value;
}

function checked(input: Uint8Array, options: ReadJsonOptions): { outline: Outline; value: unknown } {
  const { maxValues = Number.POSITIVE_INFINITY, exactNumbers = false } = options;
  const text = decodeUtf8(input);
  const outline = { ...outlineOfText(text, options), exactNumbers };
  const value = valueOfOutline(outline);
  // A value takes a character at least, and what parts it from the next one another.
  if (text.length >= 2 * maxValues && hasMoreValues(value, maxValues)) {
    throw new JsonTooManyValuesError(maxValues);
  }
  return { outline, value };
}

function outlineOfText(
  text: string,
  { maxDepth, exact: names = [], exactItems }: ReadJsonOptions,
): Omit<Outline, 'exactNumbers'> {
  if (exactItems !== undefined) return outlineWithItems(text, maxDepth, exactItems);
  const root = scanJson(text, { maxDepth, recordDepth: 1 });
  const members = root.kind === 'object' ? root.members.filter(({ name }) => names.includes(name)) : [];
  return {
    around: withNulls(text, members),
    exact: members.map(({ name, value }) => [name, textOf(text, value)]),
  };
}

function outlineWithItems(
  text: string,
  maxDepth: number,
  { array, member }: ExactItems,
): Omit<Outline, 'exactNumbers'> {
  const found = new Map<number, JsonAmbiguityError>();
  // The top-level object, the array, and its objects.
  const root = scanJson(text, { maxDepth, recordDepth: 3, setAside: { array, member, found } });
  const list = root.kind === 'object' ? root.members.find(({ name }) => name === array)?.value : undefined;
  const items = list?.kind === 'array' ? list.items : [];
  const members = items.flatMap((item, index) =>
    item.kind === 'object'
      ? item.members.filter(({ name }) => name === member).map((each) => ({ ...each, index }))
      : [],
  );
  const exact = members.map(({ index, value }) => {
    const { reason, path } = found.get(index) ?? {};
    return { index, text: textOf(text, value), ...(reason && { ambiguity: { reason, path: path! } }) };
  });
  return { around: withNulls(text, members), exact: [], items: { array, member, exact } };
}

/** A text with null in the places of the values of these members, which are in its order. */
function withNulls(text: string, members: readonly MemberNode[]): string {
  let around = '';
  let at = 0;
  for (const { value } of members) {
    around += `${text.slice(at, value.start)}null`;
    at = value.end;
  }
  return around + text.slice(at);
}

/** Whether a value stands in the place of an exact member, whose own values do not count. */
const isExact = (value: object) => value instanceof ExactJson || value instanceof JsonAmbiguityError;

/** Stops at the first difference. */
function hasMoreValues(value: unknown, max: number): boolean {
  let count = 1;
  const containers = [value];
  for (let here = containers.pop(); here !== undefined; here = containers.pop()) {
    if (typeof here !== 'object' || here === null || isExact(here)) continue;
    const parts: unknown[] = Array.isArray(here) ? here : Object.values(here);
    count += parts.length;
    if (count > max) return true;
    for (const part of parts) if (typeof part === 'object') containers.push(part);
  }
  return false;
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

/** Writes the text back with each malformed part as U+FFFD: the input is malformed from the first byte that differs. */
function malformedOffset(input: Uint8Array): number {
  const repaired = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(input));
  const byteOffset = repaired.findIndex((byte, index) => byte !== input[index]);
  const wellFormed = input.subarray(0, byteOffset);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(wellFormed, { stream: true }).length;
}
