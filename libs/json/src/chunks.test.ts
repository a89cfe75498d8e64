import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasStream, jsonChunks } from './chunks.ts';
import { ExactJson } from './exact-json.ts';
import { stringifyJson } from './stringify.ts';
import { jsonValues } from './test-support/json-texts.ts';

async function* streamed(items: Iterable<unknown>): AsyncGenerator<unknown[]> {
  for (const item of items) yield [item];
}

const streamOf = (...items: unknown[]) => streamed(items);

/** Endless numbers that record how far they were read and whether they were closed. */
function endless() {
  const seen = { read: 0, closed: false };
  function* numbers() {
    try {
      for (;;) yield seen.read++;
    } finally {
      seen.closed = true;
    }
  }
  return { seen, stream: streamed(numbers()) };
}

async function textOf(value: unknown, chunkBytes = 8): Promise<string> {
  return (await Array.fromAsync(jsonChunks(value, { chunkBytes }))).join('');
}

describe('jsonChunks', () => {
  test('writes an async iterable as an array, wherever it is', async () => {
    const exact = new ExactJson('{ "n": 1.0 }');
    expect(await textOf(streamOf(1, 'two', exact, undefined))).toBe('[1,"two",{ "n": 1.0 },null]');
    expect(
      await textOf({ result: { revisions: streamOf({ version: 1, payload: exact }), next_cursor: null } }),
    ).toBe('{"result":{"revisions":[{"version":1,"payload":{ "n": 1.0 }}],"next_cursor":null}}');
    expect(await textOf([0, streamOf(), { a: undefined, b: streamOf(streamOf(1), 2), c: exact }])).toBe(
      '[0,[],{"b":[[1],2],"c":{ "n": 1.0 }}]',
    );
  });

  test('reads a batch of items at a time, and writes an empty one as nothing', async () => {
    let reads = 0;
    async function* batches() {
      for (const batch of [[], [1, 'two'], [], [streamOf(3), { four: 4 }]]) {
        reads++;
        yield batch;
      }
    }
    expect(await textOf({ items: batches() }, 1000)).toBe('{"items":[1,"two",[3],{"four":4}]}');
    expect(reads).toBe(4);
  });

  test('gives the text of stringifyJson in well-formed chunks, streams written as arrays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(jsonValues, { maxLength: 5 }),
        jsonValues,
        fc.integer({ min: 1, max: 20 }),
        async (items, other, chunkBytes) => {
          const chunks = await Array.fromAsync(
            jsonChunks({ other, items: streamOf(...items), last: 1 }, { chunkBytes }),
          );
          expect(chunks.join('')).toBe(stringifyJson({ other, items, last: 1 }));
          expect(chunks.every((chunk) => chunk.isWellFormed() && chunk.length <= chunkBytes + 1)).toBe(true);
          expect(chunks.slice(0, -1).every(({ length }) => length >= chunkBytes)).toBe(true);
          expect(await textOf(other, chunkBytes)).toBe(stringifyJson(other));
        },
      ),
    );
  });

  test('reads no further than the reader asks, and closes the iterable when the reader stops early', async () => {
    const { seen, stream } = endless();
    const chunks = jsonChunks({ result: { items: stream } }, { chunkBytes: 20 });
    await chunks.next();
    expect(seen.read).toBeLessThan(20);
    expect(seen.closed).toBe(false);
    await chunks.return();
    expect(seen.closed).toBe(true);
  });

  test('closes the iterable, and fails, when an item has no JSON form', async () => {
    let closed = false;
    function* items() {
      try {
        yield 1n;
      } finally {
        closed = true;
      }
    }
    await expect(textOf({ items: streamed(items()) })).rejects.toThrow(TypeError);
    expect(closed).toBe(true);
  });

  test('passes on the error of an iterable, after the text before it', async () => {
    function* failing() {
      yield 'written';
      throw new Error('lost');
    }
    const chunks = jsonChunks([streamed(failing())], { chunkBytes: 4 });
    expect((await chunks.next()).value).toBe('[["w');
    await expect(Array.fromAsync(chunks)).rejects.toThrow('lost');
  });

  test.each([
    ...[0, -1, 1.5, Number.NaN].map((chunkBytes) => [{}, chunkBytes, RangeError] as const),
    [undefined, 8, TypeError] as const,
  ])('refuses %j in chunks of %d', async (value, chunkBytes, error) => {
    await expect(textOf(value, chunkBytes)).rejects.toThrow(error);
  });
});

describe('hasStream', () => {
  test.each([
    [true, 'an async iterable', streamOf()],
    [true, 'a member', { revisions: streamOf() }],
    [true, 'a member two levels down', { result: { revisions: streamOf() } }],
    [true, 'a member three levels down', { a: { b: { c: streamOf() } } }],
    [false, 'a member deeper down', { a: { b: { c: { d: streamOf() } } } }],
    [false, 'an item of an array', { a: [streamOf()] }],
    [false, 'plain data', { a: { b: [1, null, 'x', undefined] } }],
    [false, 'an ExactJson', { payload: new ExactJson('{}') }],
    [false, 'null', null],
  ])('is %s for %s', (expected, _, value) => {
    expect(hasStream(value)).toBe(expected);
  });
});
