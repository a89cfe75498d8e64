import { describe, expect, test } from '@jest/globals';
import { BulkTurns } from './bulk-turns.ts';

const items = Array.from({ length: 95 }, (_, index) => index);

const importer = { workspace: 'w', caller: 'importer' };
const reader = { workspace: 'w', caller: 'reader' };
const other = { workspace: 'v', caller: 'importer' };
const inTime = (fairnessKey: typeof other) => ({ fairnessKey, deadline: performance.now() + 10_000 });

/** Runs a bulk call; resolves with its results and the number of items of each turn. */
async function run(turns: BulkTurns) {
  const sizes: number[] = [];
  const results = await turns.run(inTime(importer), items, async (group, from) => {
    sizes.push(group.length);
    return group.map((item, index) => [item, from + index]);
  });
  return { results, sizes };
}
const inOrder = items.map((item) => [item, item]);

describe('a bulk call', () => {
  test('is one turn while no call of another caller is answered', async () => {
    const turns = new BulkTurns();
    turns.answered(importer);
    expect(await run(turns)).toEqual({ results: inOrder, sizes: [items.length] });
  });

  test('is divided into turns while calls of others are answered, with a result for each item in order', async () => {
    const turns = new BulkTurns();
    for (const caller of [reader, importer, importer]) turns.answered(caller);
    const { results, sizes } = await run(turns);
    expect(results).toEqual(inOrder);
    expect(sizes.length).toBeGreaterThan(3);
  });

  test('has no turn beside that of another one while calls of others are answered', async () => {
    const turns = new BulkTurns();
    turns.answered(reader);
    let atWork = 0;
    let most = 0;
    const call = () =>
      turns.run(inTime(importer), items, async (group) => {
        most = Math.max(most, ++atWork);
        await new Promise(setImmediate);
        atWork--;
        return group;
      });
    expect(await Promise.all([call(), call(), call()])).toEqual([items, items, items]);
    expect([most, atWork]).toEqual([1, 0]);
  });

  test('takes turns with those of another Workspace, however many the first one has', async () => {
    const turns = new BulkTurns();
    turns.answered(reader);
    const order: string[] = [];
    const call = (caller: typeof other, count: number) =>
      turns.run(inTime(caller), items.slice(0, count), async (group) => {
        order.push(caller.workspace);
        return group;
      });
    await Promise.all([call(importer, 95), call(importer, 95), call(importer, 95), call(other, 50)]);
    expect(order.slice(0, 5).filter((workspace) => workspace === 'v')).toHaveLength(2);
  });

  test('whose deadline is near does its work in one turn', async () => {
    const turns = new BulkTurns();
    turns.answered(reader);
    const late = { fairnessKey: importer, deadline: performance.now() + 1_000 };
    const sizes: number[] = [];
    await turns.run(late, items, async (group) => {
      sizes.push(group.length);
      return group;
    });
    expect(sizes).toEqual([items.length]);
  });

  test('that fails leaves its turn to others', async () => {
    const turns = new BulkTurns();
    turns.answered(reader);
    const failing = turns.run(inTime(importer), items, async () => Promise.reject(new Error('lost')));
    await expect(failing).rejects.toThrow('lost');
    expect((await run(turns)).results).toEqual(inOrder);
  });
});
