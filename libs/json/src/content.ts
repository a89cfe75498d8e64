/**
 * How a value is written as JSON: `plain` can be left to JSON.stringify, `exact` holds an ExactJson or
 * something else with a `toJSON`, which could return one, `stream` holds an async iterable.
 */
export type Content = 'plain' | 'exact' | 'stream';

/** Inspects a whole value, but neither the items of its streams nor the result of a `toJSON`. */
export function contentOf(value: unknown): Content {
  if (typeof value !== 'object' || value === null) return 'plain';
  if (isStream(value)) return 'stream';
  if (hasToJson(value)) return 'exact';
  let content: Content = 'plain';
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    const found = contentOf(part);
    if (found === 'stream') return 'stream';
    if (found === 'exact') content = 'exact';
  }
  return content;
}

/** Whether a value is written as an array of the items that it yields in batches. */
export function isStream(value: object): value is AsyncIterable<readonly unknown[]> {
  return Symbol.asyncIterator in value;
}

/** Whether a value has a `toJSON`, as a Date does. An ExactJson counts, though its own only throws. */
export function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
