import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Change, changedWords, difference, lineDifference, pointer } from '../browser/text/diff.js';
import { JsonText, keeping, read, toJson } from '../browser/text/text.js';

const changesOf = (before: string, after: string) => difference(read(before), read(after));

/** A JSON value whose numbers are their text. */
const exact = (json: string): unknown =>
  JSON.parse(json, (_name, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? { number: source } : value,
  );

/** The value after these changes. A list loses items at its end alone. */
function applied(json: string, changes: readonly Change[]): unknown {
  type Parts = Record<string | number, unknown>;
  const whole: Parts = { root: exact(json) };
  const isRemoval = ({ after }: Change) => after === undefined;
  const removals = changes.filter(isRemoval);
  for (const { path, after } of [...removals, ...changes.filter((change) => !isRemoval(change))]) {
    const steps = ['root', ...path];
    const last = steps.pop()!;
    const holder = steps.reduce<Parts>((value, step) => value[step] as Parts, whole);
    if (after !== undefined)
      Object.defineProperty(holder, last, {
        value: exact(after),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    else if (Array.isArray(holder)) holder.pop();
    else delete holder[last];
  }
  return whole.root;
}

const scalar = fc.oneof(
  fc.constantFrom('1', '1.0', '10e-1', '-0', '12345678901234567890', 'true', 'false', 'null', '"\\u0041"'),
  fc.string().map((text) => JSON.stringify(text)),
);
const name = fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('__proto__', 'constructor', '1', '0'));
const { value: anyJson } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .uniqueArray(fc.tuple(name, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} :${value}`).join(',')}}`),
  ),
}));

test('the difference applied to the old version gives the new one, numbers as text', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (before, after) => {
      expect(applied(before, changesOf(before, after))).toEqual(exact(after));
    }),
    { numRuns: 1000 },
  );
});

test('only what differs is in it, by path', () => {
  const before = '{"a":{"b":[1,2,3]},"gone":true,"n":1,"t":"\\u0041"}';
  const after = '{"t":"A","n":1.0,"a":{"b":[1,9]},"new/~":null}';
  expect(changesOf(before, after).map(({ path, ...change }) => ({ at: pointer(path), ...change }))).toEqual([
    { at: '/a/b/1', before: '2', after: '9' },
    { at: '/a/b/2', before: '3', after: undefined },
    { at: '/gone', before: 'true', after: undefined },
    { at: '/n', before: '1', after: '1.0' },
    { at: '/new~1~0', before: undefined, after: 'null' },
  ]);
});

test('values of another kind differ as a whole', () => {
  expect(changesOf('{}', '[]')).toEqual([{ path: [], before: '{}', after: '[]' }]);
  expect(changesOf('[1]', '{"0":1}')).toHaveLength(1);
  expect(changesOf('{"a":1}', '{ "a": 1 }')).toEqual([]);
});

test('a value that is kept is sent as it came, to the byte', () => {
  fc.assert(
    fc.property(anyJson, (payload) => {
      const answer = keeping('payload')(`{"record":{"version":2,"payload": ${payload} ,"x":null}}`);
      expect(answer.record).toMatchObject({ version: 2, payload: new JsonText(payload), x: null });
      expect(toJson({ record_id: 'r', payload: answer.record.payload, key: undefined })).toBe(
        `{"record_id":"r","payload":${payload}}`,
      );
    }),
  );
});

test('text that is no JSON is refused', () => {
  for (const text of ['', '{"a":1', '[1,']) expect(() => read(text)).toThrow(SyntaxError);
});

test('the words in which two lines differ stand between those that both have', () => {
  expect(changedWords('"paid": false,', '"paid": true,')).toEqual([
    ['"paid": ', 'false', ','],
    ['"paid": ', 'true', ','],
  ]);
  expect(changedWords('aa', 'a a')).toEqual([
    ['', 'aa', ''],
    ['', 'a a', ''],
  ]);
  expect(changedWords('x', 'x y')).toEqual([
    ['x', '', ''],
    ['x', ' y', ''],
  ]);
});

test('the lines of a difference are those of both texts, and as few as can be were changed', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDifference(before, after)!;
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(without('added')).toEqual(before);
      expect(without('removed')).toEqual(after);
      expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(commonLength(before, after));
    }),
    { numRuns: 500 },
  );
});

/** The length of a longest common subsequence, by its definition. */
function commonLength([first, ...before]: string[], after: string[]): number {
  if (first === undefined || after.length === 0) return 0;
  const index = after.indexOf(first);
  const without = commonLength(before, after);
  return index === -1 ? without : Math.max(without, 1 + commonLength(before, after.slice(index + 1)));
}
