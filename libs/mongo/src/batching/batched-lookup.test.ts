import { setImmediate as endOfTick } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts/calls';
import { describe, expect, test } from '@jest/globals';
import { batchedLookup } from './batched-lookup.ts';

/** A look-up in a changing table. Every read waits for `release`, and returns the values at its start. */
function tableWith(values: Record<string, number>) {
  const reads: { keys: string[]; release: () => void }[] = [];
  const itself = (key: string) => key;
  const find = batchedLookup(
    'test',
    { asked: itself, found: ({ key }: { key: string; value: number }) => key },
    async (keys) => {
      const seen = keys.flatMap((key) => (key in values ? [{ key, value: values[key]! }] : []));
      const { promise, resolve } = Promise.withResolvers<void>();
      reads.push({ keys, release: resolve });
      await promise;
      // A database may return documents in any order.
      return seen.reverse();
    },
  );
  return { values, reads, find: (key: string) => find(key, inBackground) };
}

describe('a look-up', () => {
  test('is never answered by a read that began before it', async () => {
    const { values, reads, find } = tableWith({ a: 1 });
    const before = find('a');
    await endOfTick();
    values.a = 2;
    const after = find('a');
    reads[0]!.release();
    expect(await before).toEqual({ key: 'a', value: 1 });
    await endOfTick();
    reads[1]!.release();
    expect(await after).toEqual({ key: 'a', value: 2 });
  });

  test('shares one read with the other waiting look-ups, which reads each key once', async () => {
    const { reads, find } = tableWith({ a: 1, b: 2 });
    const first = find('a');
    await endOfTick();
    const others = ['b', 'a', 'c', 'b'].map(find);
    reads[0]!.release();
    await first;
    await endOfTick();
    expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['b', 'a', 'c']]);
    reads[1]!.release();
    const found = await Promise.all(others);
    expect(found.map((document) => document?.value)).toEqual([2, 1, undefined, 2]);
  });
});
