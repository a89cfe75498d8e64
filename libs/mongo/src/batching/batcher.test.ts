import { setImmediate as endOfTick } from 'node:timers/promises';
import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { describe, expect, test } from '@jest/globals';
import { Batcher, type BatchLimits, type ItemOutcome } from './batcher.ts';

/** A batcher whose batches wait for `release`. */
function gated(limits: BatchLimits<number>) {
  const batches: {
    items: readonly number[];
    deadline: number;
    release: (outcomes: ItemOutcome<string>[]) => void;
    fail: (e: Error) => void;
  }[] = [];
  const batcher = new Batcher<number, string>('test', limits, (items, { deadline }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ItemOutcome<string>[]>();
    batches.push({ items, deadline, release: resolve, fail: reject });
    return promise;
  });
  const releaseAll = (index: number) =>
    batches[index]!.release(batches[index]!.items.map((item) => ({ value: `done ${item}` })));
  const submit = (item: number, timed: Timed = inBackground) => batcher.submit(item, timed);
  return { submit, batches, releaseAll };
}

const inMs = (milliseconds: number) => ({ deadline: performance.now() + milliseconds });

describe('Batcher', () => {
  test('sends the items of one tick in one batch, and the items that arrive while a batch runs in the next', async () => {
    const { submit, batches, releaseAll } = gated({ maxItems: 100 });
    const first = [submit(1), submit(2)];
    await endOfTick();
    const others = [submit(3), submit(4)];
    await endOfTick();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2]]);
    releaseAll(0);
    expect(await Promise.all(first)).toEqual(['done 1', 'done 2']);
    while (batches.length === 1) await endOfTick();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    releaseAll(1);
    expect(await Promise.all(others)).toEqual(['done 3', 'done 4']);
  });

  test('runs as many batches concurrently as its limit allows', async () => {
    const { submit, batches, releaseAll } = gated({ maxItems: 100, atOnce: 2 });
    const submitted = [];
    for (const item of [1, 2, 3, 4]) {
      submitted.push(submit(item));
      await endOfTick();
    }
    expect(batches.map(({ items }) => items)).toEqual([[1], [2]]);
    releaseAll(1);
    while (batches.length === 2) await endOfTick();
    expect(batches[2]!.items).toEqual([3, 4]);
    releaseAll(0);
    releaseAll(2);
    expect(await Promise.all(submitted)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
  });

  test('gives every item its own outcome; a batch that fails as a whole fails all, and the next follows', async () => {
    const { submit, batches } = gated({ maxItems: 100 });
    const [first, second] = [submit(1), submit(2)];
    await endOfTick();
    const [third, fourth] = [submit(3), submit(4)];
    batches[0]!.fail(new Error('lost'));
    for (const lost of [first, second]) await expect(lost).rejects.toThrow('lost');
    while (batches.length === 1) await endOfTick();
    batches[1]!.release([{ error: new Error('one failed') }, { value: 'four' }]);
    await expect(third).rejects.toThrow('one failed');
    expect(await fourth).toBe('four');
  });

  test('keeps to the limits of items and bytes', async () => {
    const { submit, batches, releaseAll } = gated({ maxItems: 3, maxBytes: 10, bytesOf: (item) => item });
    const all = [1, 4, 5, 2, 50, 1, 1, 1, 1].map((item) => submit(item));
    for (let i = 0; i < 5; i++) {
      while (batches.length === i) await endOfTick();
      releaseAll(i);
    }
    await Promise.all(all);
    expect(batches.map(({ items }) => items)).toEqual([[1, 4, 5], [2], [50], [1, 1, 1], [1]]);
  });

  test('refuses items whose deadline passes, also while another batch runs, and sends the others', async () => {
    const { submit, batches, releaseAll } = gated({ maxItems: 2 });
    const nothingDone = { code: 'action_platform_unavailable' };
    await expect(submit(0, { deadline: 0 })).rejects.toMatchObject(nothingDone);
    const first = submit(1);
    await endOfTick();
    const leaving = { deadline: Number.POSITIVE_INFINITY };
    const late = [submit(2, inMs(10)), submit(3, leaving)];
    const others = [submit(4), submit(5)];
    leaving.deadline = 0;
    for (const refused of await Promise.allSettled(late))
      expect(refused).toMatchObject({ reason: nothingDone });
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    releaseAll(0);
    await first;
    while (batches.length === 1) await endOfTick();
    expect(batches[1]!.items).toEqual([4, 5]);
    releaseAll(1);
    expect(await Promise.all(others)).toEqual(['done 4', 'done 5']);
  });

  test.each([
    ['read', { code: 'action_platform_unavailable' }],
    ['write', { message: 'deadline passed while a batch of test was being written' }],
  ] as const)(
    'rejects an item at its deadline while its batch runs, a %s; the others have their outcomes',
    async (effect, error) => {
      const { submit, releaseAll } = gated({ maxItems: 100, effect });
      const [expired, other] = [submit(1, inMs(10)), submit(2)];
      await expect(expired).rejects.toMatchObject(error);
      releaseAll(0);
      expect(await other).toBe('done 2');
    },
  );

  test('sends the next reads while a slow batch runs, but not the next writes', async () => {
    const [reads, writes] = (['read', 'write'] as const).map((effect) => gated({ maxItems: 100, effect }));
    const slow = [reads!.submit(1), writes!.submit(1)];
    await endOfTick();
    const next = [reads!.submit(2), writes!.submit(2)];
    while (reads!.batches.length === 1) await endOfTick();
    expect(writes!.batches).toHaveLength(1);
    reads!.releaseAll(1);
    expect(await next[0]).toBe('done 2');
    reads!.releaseAll(0);
    writes!.releaseAll(0);
    expect(await Promise.all(slow)).toEqual(['done 1', 'done 1']);
    while (writes!.batches.length === 1) await endOfTick();
    writes!.releaseAll(1);
    expect(await next[1]).toBe('done 2');
  });

  test('runs a bounded number of slow batches', async () => {
    const { submit, batches, releaseAll } = gated({ maxItems: 1, effect: 'read' });
    const submitted = Array.from({ length: 20 }, (_, item) => submit(item));
    while (batches.length < 8) await endOfTick();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(batches).toHaveLength(8);
    for (let index = 0; index < 20; index++) {
      while (batches.length === index) await endOfTick();
      releaseAll(index);
    }
    await Promise.all(submitted);
  });

  test('gives a batch the latest deadline of its items', async () => {
    const { submit, batches, releaseAll } = gated({ maxItems: 100 });
    const first = submit(1);
    await endOfTick();
    const [soon, later] = [performance.now() + 60_000, performance.now() + 90_000];
    const others = [soon, later, soon].map((deadline, item) => submit(item, { deadline }));
    releaseAll(0);
    await first;
    while (batches.length === 1) await endOfTick();
    expect(batches[1]!.deadline).toBe(later);
    releaseAll(1);
    await Promise.all(others);
  });
});
