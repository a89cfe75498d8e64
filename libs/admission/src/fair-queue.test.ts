import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';
import type { FairnessKey } from './fairness-key.ts';

const any = () => true;
const aKey = fc.record<FairnessKey>({
  workspace: fc.constantFrom('a', 'b', 'c'),
  caller: fc.constantFrom('1', '2', '3'),
});
const someItems = fc.array(aKey, { maxLength: 60 }).map((keys) => keys.map((key, id) => ({ key, id })));

function queueOf<Item extends { key: FairnessKey }>(items: readonly Item[]): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const item of items) queue.add(item.key, item);
  return queue;
}

function takeAll<Item>(queue: FairQueue<Item>, mayGo: (fairnessKey: FairnessKey) => boolean = any): Item[] {
  const taken: Item[] = [];
  for (let item = queue.next(mayGo); item !== undefined; item = queue.next(mayGo)) taken.push(item);
  return taken;
}

describe('waiting items are taken round robin', () => {
  test('of Workspaces first, then of their callers, each in the order of its own', () => {
    const queue = new FairQueue<string>();
    for (const item of ['x1', 'x2', 'x3']) queue.add({ workspace: 'a', caller: 'x' }, item);
    queue.add({ workspace: 'a', caller: 'y' }, 'y1');
    for (const item of ['z1', 'z2']) queue.add({ workspace: 'b', caller: 'z' }, item);
    expect(takeAll(queue)).toEqual(['x1', 'z1', 'y1', 'z2', 'x2', 'x3']);
  });

  test('each item is taken once, and those of a caller in their order', () => {
    fc.assert(
      fc.property(someItems, (items) => {
        const queue = queueOf(items);
        const taken = takeAll(queue);
        expect(queue.length).toBe(0);
        expect(taken.map(({ id }) => id).sort((a, b) => a - b)).toEqual(items.map(({ id }) => id));
        const byCaller = Map.groupBy(taken, ({ key }) => `${key.workspace}${key.caller}`);
        for (const own of byCaller.values()) {
          expect(own).toEqual(own.toSorted((a, b) => a.id - b.id));
        }
      }),
    );
  });

  test('between two items of one Workspace, every other waiting Workspace is served', () => {
    fc.assert(
      fc.property(someItems, (items) => {
        const taken = takeAll(queueOf(items)).map(({ key }) => key.workspace);
        taken.forEach((workspace, index) => {
          const again = taken.indexOf(workspace, index + 1);
          if (again < 0) return;
          const between = new Set(taken.slice(index + 1, again));
          const waiting = new Set(taken.slice(again).filter((other) => other !== workspace));
          for (const other of waiting) expect(between).toContain(other);
        });
      }),
    );
  });

  test('an item that may not go keeps its place', () => {
    const queue = new FairQueue<string>();
    queue.add({ workspace: 'a', caller: 'x' }, 'a1');
    queue.add({ workspace: 'b', caller: 'y' }, 'b1');
    expect(takeAll(queue, ({ workspace }) => workspace !== 'a')).toEqual(['b1']);
    expect(takeAll(queue)).toEqual(['a1']);
  });

  test('unwanted items are removed, and no others', () => {
    fc.assert(
      fc.property(someItems, fc.integer({ min: 1, max: 5 }), (items, divisor) => {
        const queue = queueOf(items);
        const isUnwanted = ({ id }: { id: number }) => id % divisor === 0;
        const removed = queue.remove(isUnwanted);
        expect(removed.every(isUnwanted)).toBe(true);
        const rest = takeAll(queue);
        expect(rest.some(isUnwanted)).toBe(false);
        expect(removed.length + rest.length).toBe(items.length);
      }),
    );
  });
});
