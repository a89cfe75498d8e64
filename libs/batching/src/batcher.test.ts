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
  test('sends a lone item at once, and together what arrives while a batch is under way', async () => {
    const { batcher, batches, releaseAll } = gated({ maxItems: 100 });
    const first = batcher.submit(1);
    const others = [batcher.submit(2), batcher.submit(3)];
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    releaseAll(0);
    expect(await first).toBe('done 1');
    await Promise.resolve();
    expect(batches[1]!.items).toEqual([2, 3]);
    releaseAll(1);
    expect(await Promise.all(others)).toEqual(['done 2', 'done 3']);
  });

  test('gives every item its own outcome', async () => {
    const { batcher, batches } = gated({ maxItems: 100 });
    const first = batcher.submit(1);
    const second = batcher.submit(2);
    const third = batcher.submit(3);
    batches[0]!.release([{ value: 'one' }]);
    await first;
    await Promise.resolve();
    batches[1]!.release([{ error: new Error('two failed') }, { value: 'three' }]);
    await expect(second).rejects.toThrow('two failed');
    expect(await third).toBe('three');
  });

  test('fails all items of a batch that fails as a whole, and goes on with the next', async () => {
    const { batcher, batches, releaseAll } = gated({ maxItems: 100 });
    const first = batcher.submit(1);
    const second = batcher.submit(2);
    batches[0]!.fail(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    await Promise.resolve();
    releaseAll(1);
    expect(await second).toBe('done 2');
  });

  test('keeps within the limits of items and bytes', async () => {
    const { batcher, batches, releaseAll } = gated({ maxItems: 3, maxBytes: 10, bytesOf: (item) => item });
    const all = [1, 4, 5, 2, 50, 1, 1, 1, 1].map((item) => batcher.submit(item));
    for (let i = 0; i < 6; i++) {
      releaseAll(i);
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(batches.map(({ items }) => items)).toEqual([[1], [4, 5], [2], [50], [1, 1, 1], [1]]);
  });
});
