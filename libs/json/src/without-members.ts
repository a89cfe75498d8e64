import { commaSeparated } from './comma-separated.ts';
import { decodeUtf8 } from './read-json.ts';
import { MAX_DEPTH, scanJson } from './scanner/scan-json.ts';

/**
 * The text of a JSON object without its members of some names: every other member stands as it was sent. An object without such members
 * stays as it is, but for white space around it.
 *
 * @throws what `readJson` throws.
 */
export function withoutMembers(input: Uint8Array, names: readonly string[]): string {
  const text = decodeUtf8(input);
  const root = scanJson(text, { maxDepth: MAX_DEPTH, recordDepth: 1 });
  const members = root.kind === 'object' ? root.members : [];
  const others = members.filter(({ name }) => !names.includes(name));
  if (others.length === members.length) return text.slice(root.start, root.end);
  return `{${commaSeparated(others.map(({ start, value }) => text.slice(start, value.end)))}}`;
}
