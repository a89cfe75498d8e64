/** @typedef {import('./text.js').JsonNode} JsonNode */

/** A place where two values differ. `before` is undefined where something was added, `after` where something was removed; both are JSON. @typedef {{ path: (string | number)[], before?: string | undefined, after?: string | undefined }} Change */

/**
 * The difference of two JSON values, by path. Numbers are compared as text, strings by value, and the order of names does not count.
 * Changes in a list go from its beginning to its end.
 * @param {JsonNode} before
 * @param {JsonNode} after
 * @param {(string | number)[]} path
 * @returns {Change[]}
 */
export function difference(before, after, path = []) {
  if (before.text === after.text) return [];
  const [former, latter] = [partsOf(before), partsOf(after)];
  const isAlike = (before.items === undefined) === (after.items === undefined);
  if (former === undefined || latter === undefined || !isAlike)
    return isEqual(before, after) ? [] : [{ path, before: before.text, after: after.text }];
  return [...new Set([...former.keys(), ...latter.keys()])].flatMap((name) => {
    const [from, to] = [former.get(name), latter.get(name)];
    if (from !== undefined && to !== undefined) return difference(from, to, [...path, name]);
    return [{ path: [...path, name], before: from?.text, after: to?.text }];
  });
}

/** A path as JSON Pointer (RFC 6901). @param {(string | number)[]} path */
export const pointer = (path) =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The parts of an object or list by name or index. @param {JsonNode} node @returns {Map<string | number, JsonNode> | undefined} */
function partsOf({ members, items }) {
  if (items !== undefined) return new Map(items.entries());
  return members && new Map(members.map(({ name, value }) => [name, value]));
}

/** Whether two values that are not both objects or both lists are equal. @param {JsonNode} one @param {JsonNode} other */
const isEqual = (one, other) =>
  one.text.startsWith('"') && other.text.startsWith('"') && JSON.parse(one.text) === JSON.parse(other.text);
