import { commaSeparated } from './comma-separated.ts';
import { contentOf, hasToJson, isStream } from './content.ts';
import { ExactJson } from './exact-json.ts';

/**
 * Writes a value as JSON.stringify does, and every {@link ExactJson} in it as its text.
 *
 * @throws TypeError for what has no JSON form (undefined, a function or a symbol as the value itself, a bigint
 *   anywhere), and for an async iterable, which `jsonChunks` writes. RangeError for a value that contains itself.
 */
export function stringifyJson(value: unknown): string {
  const text = jsonText(value);
  if (text === undefined) throw new TypeError(`A value of type ${typeof value} has no JSON form`);
  return text;
}

/** As {@link stringifyJson}, but gives undefined where JSON.stringify does: objects leave out such members. */
export function jsonText(value: unknown): string | undefined {
  return contentOf(value) === 'plain' ? JSON.stringify(value) : exactText(value);
}

function exactText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof ExactJson) return value.text;
  if (isStream(value)) throw new TypeError('An async iterable is written by jsonChunks');
  if (hasToJson(value)) return exactText(value.toJSON());
  if (Array.isArray(value)) {
    return `[${commaSeparated(Array.from(value, (item) => exactText(item) ?? 'null'))}]`;
  }
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = exactText(member);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${commaSeparated(members)}}`;
}
