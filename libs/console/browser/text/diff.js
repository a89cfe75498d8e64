/** @typedef {import('./text.js').JsonNode} JsonNode */

/** A place where two values differ. The JSON of `before` is undefined where something was added, that of `after` where something was removed. @typedef {{ path: (string | number)[], before?: string | undefined, after?: string | undefined }} Change */

/** The difference of two JSON values, by path: numbers as text, strings by value, names in any order, lists from beginning to end. @param {JsonNode} before @param {JsonNode} after @param {(string | number)[]} path @returns {Change[]} */
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

/** A line of a comparison, with its numbers before and after. @typedef {{ kind: 'same' | 'removed' | 'added', text: string, before?: number, after?: number }} Line */

/** The most pairs of lines that are compared. */
const MOST_PAIRS = 4_000_000;

/** The lines of two texts by a longest common subsequence, with the removed and the added lines between them; undefined when there are too many. @param {readonly string[]} before @param {readonly string[]} after @returns {Line[] | undefined} */
export function lineDifference(before, after) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [rows, columns] = [before.length - head - tail, after.length - head - tail];
  if (rows * columns > MOST_PAIRS) return undefined;
  // The length of the longest common subsequence of the lines from each pair on.
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (/** @type {number} */ row, /** @type {number} */ column) => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[head + row] === after[head + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  /** @type {Line[]} */
  const lines = [];
  const same = (/** @type {number} */ number) => {
    for (let index = 0; index < number; index++)
      lines.push({ kind: 'same', text: before[row] ?? '', before: ++row, after: ++column });
  };
  let row = 0;
  let column = 0;
  same(head);
  while (row < head + rows || column < head + columns) {
    const [inner, across] = [row - head, column - head];
    if (inner < rows && across < columns && before[row] === after[column]) same(1);
    else if (across === columns || (inner < rows && at(inner + 1, across) >= at(inner, across + 1)))
      lines.push({ kind: 'removed', text: before[row] ?? '', before: ++row });
    else lines.push({ kind: 'added', text: after[column] ?? '', after: ++column });
  }
  same(tail);
  return lines;
}

/** The words of two texts, with what stands between them. @param {string} text */
const wordsOf = (text) => text.match(/[\p{L}\p{N}_]+|./gsu) ?? [];

/** Two lines in three parts each: the words in which they differ stand between those at their beginning and end that both have. @param {string} before @param {string} after @returns {[before: string[], after: string[]]} */
export function changedWords(before, after) {
  const [former, latter] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(former.length, latter.length);
  let head = 0;
  while (head < shorter && former[head] === latter[head]) head++;
  let tail = 0;
  while (tail < shorter - head && former.at(-1 - tail) === latter.at(-1 - tail)) tail++;
  const parts = (/** @type {string[]} */ words) => [
    words.slice(0, head).join(''),
    words.slice(head, words.length - tail).join(''),
    words.slice(words.length - tail).join(''),
  ];
  return [parts(former), parts(latter)];
}
