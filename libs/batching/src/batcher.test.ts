import { setImmediate as endOfTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Batcher, type Outcome } from './batcher.ts';

/** A batcher whose batches wait until they are let go. */
function gated(limits: { maxItems: number; maxBytes?: number; bytesOf?: (item: number) => number }) {
  const batches: {
    items: readonly number[];
    release: (outcomes: Outcome<string>[]) => void;
    fail: (e: Error) => void;
  }[] = [];
  const batcher = new Batcher<number, string>('test', limits, (items) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<string>[]>();
    batches.push({ items, release: resolve, fail: reject });
    return promise;
  });
  const releaseAll = (index: number) =>
    batches[index]!.release(batches[index]!.items.map((item) => ({ value: `done ${item}` })));
  return { batcher, batches, releaseAll };
}

describe('Batcher', () => {
  test('sends together what comes in one turn, and what arrives while a batch is under way', async () => {
    const { batcher, batches, releaseAll } = gated({ maxItems: 100 });
    const first = [batcher.submit(1), batcher.submit(2)];
    await endOfTurn();
    const others = [batcher.submit(3), batcher.submit(4)];
    await endOfTurn();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2]]);
    releaseAll(0);
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2']);
    while (batches.length === 1) await endOfTurn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    releaseAll(1);
    expect(await Promise.all(others)).toEqual(['done 3', 'done 4']);
  });

  test('gives every item its own outcome', async () => {
    const { batcher, batches } = gated({ maxItems: 100 });
    const first = batcher.submit(1);
    const second = batcher.submit(2);
    await endOfTurn();
    batches[0]!.release([{ error: new Error('one failed') }, { value: 'two' }]);
    await expect(first).rejects.toThrow('one failed');
    expect(await second).toBe('two');
  });

  test('fails all items of a batch that fails as a whole, and goes on with the next', async () => {
    const { batcher, batches, releaseAll } = gated({ maxItems: 100 });
    const first = batcher.submit(1);
    await endOfTurn();
    const second = batcher.submit(2);
    batches[0]!.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    while (batches.length === 1) await endOfTurn();
    releaseAll(1);
    expect(await second).toBe('done 2');
  });

  test('keeps within the limits of items and bytes', async () => {
    const { batcher, batches, releaseAll } = gated({ maxItems: 3, maxBytes: 10, bytesOf: (item) => item });
    const all = [1, 4, 5, 2, 50, 1, 1, 1, 1].map((item) => batcher.submit(item));
    for (let i = 0; i < 5; i++) {
      while (batches.length === i) await endOfTurn();
      releaseAll(i);
    }
    await Promise.all(all);
    expect(batches.map(({ items }) => items)).toEqual([[1, 4, 5], [2], [50], [1, 1, 1], [1]]);
  });
});
