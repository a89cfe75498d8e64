import { isIdOf } from '@action-platform/contracts/ids';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { newBlock, OpenBlock, recordIdsOf } from './push-block.ts';

let now: number;
beforeEach(() => {
  now = 1_700_000_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

/** Takes an id in the block, which has room. */
const take = (block: OpenBlock) => block.take(1);

describe('the record ids of a block', () => {
  test('are those that recovery enumerates, distinct, in the order of the pushes, whatever the clock does', () => {
    const pauses = fc.array(fc.integer({ min: -2, max: 30 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), pauses, (pushes, steps) => {
        const block = new OpenBlock(newBlock(1000, pushes));
        const possible = new Set(recordIdsOf(block.reserved));
        const taken: string[] = [];
        for (const step of steps) {
          now += step;
          const id = take(block);
          if (id !== undefined) taken.push(id);
        }
        expect(taken.filter((id) => !possible.has(id) || !isIdOf('record', id))).toEqual([]);
        expect(taken).toEqual([...new Set(taken)].toSorted());
      }),
    );
  });

  test('differ between blocks of the same time', () => {
    const ids = [newBlock(1, 1), newBlock(1, 1)].flatMap((block) => [...recordIdsOf(block)]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('have the time of the push, and are few in a millisecond', () => {
    const block = new OpenBlock(newBlock(1000, 1));
    now += 5;
    const [one, other, third] = [take(block), take(block), take(block)];
    const time = now.toString(16).padStart(12, '0');
    expect([one!.slice(4, 16), other!.slice(4, 16), third]).toEqual([time, time, undefined]);
    now++;
    expect(take(block)).toBeDefined();
  });
});

describe('a block', () => {
  test('has no id before its time and after it', () => {
    const block = new OpenBlock(newBlock(1000, 1));
    now--;
    expect(take(block)).toBeUndefined();
    now = block.reserved.until;
    expect(take(block)).toBeUndefined();
    now--;
    expect(take(block)).toBeDefined();
  });

  test('has room for its bytes, and none after its end', () => {
    const block = new OpenBlock(newBlock(10, 8));
    expect(block.take(11)).toBeUndefined();
    expect(block.take(6)).toBeDefined();
    expect(block.take(5)).toBeUndefined();
    expect(block.take(4)).toBeDefined();
    const other = new OpenBlock(newBlock(10, 8));
    other.end();
    expect(other.take(1)).toBeUndefined();
  });

  test('releases the bytes that no push has stored, once it has ended and the outcome of every push is known', () => {
    const block = new OpenBlock(newBlock(10, 8));
    block.take(3);
    block.take(4);
    block.settle(3, true);
    expect(block.releasedBytes).toBeUndefined();
    block.end();
    expect(block.releasedBytes).toBeUndefined();
    block.settle(4, false);
    expect(block.releasedBytes).toBe(7);
  });
});
