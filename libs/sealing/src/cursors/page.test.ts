import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPage } from './page.ts';

async function* from(items: readonly number[], after: number) {
  yield* items.slice(after);
}

const sizes = fc.array(fc.nat({ max: 100 }), { maxLength: 30 });
const limits = fc.integer({ min: 1, max: 10 });
const budgets = fc.nat({ max: 250 });

const read = (items: readonly number[], after: number, limit: number, maxBytes: number) =>
  readPage(from(items, after), { limit, maxBytes, bytesOf: (size) => size });

describe('pages', () => {
  test('together hold every item once, in order, each within its limits and no smaller than it must be', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, limits, budgets, async (items, limit, maxBytes) => {
        const collected: number[] = [];
        for (let isMore = true; isMore; ) {
          const left = items.slice(collected.length);
          const { items: page, hasMore } = await read(items, collected.length, limit, maxBytes);
          const bytes = (length: number) => left.slice(0, length).reduce((sum, size) => sum + size, 0);
          expect(page.length).toBeLessThanOrEqual(limit);
          if (page.length > 1) expect(bytes(page.length)).toBeLessThanOrEqual(maxBytes);
          expect(hasMore).toBe(page.length < left.length);
          if (hasMore && page.length < limit) expect(bytes(page.length + 1)).toBeGreaterThan(maxBytes);
          collected.push(...page);
          isMore = hasMore;
        }
        expect(collected).toEqual(items);
      }),
    );
  });

  test('close the items after their last one', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (let n = 0; ; n++) yield n;
      } finally {
        isClosed = true;
      }
    }
    await readPage(endless(), { limit: 3, maxBytes: 100, bytesOf: () => 1 });
    expect(isClosed).toBe(true);
  });

  test('name the last item they read, for the next page', async () => {
    const page = await readPage(from([1, 2, 3, 4], 0), {
      limit: 1,
      maxBytes: 100,
      bytesOf: () => 1,
      isWanted: (n) => n % 2 === 1,
    });
    expect(page).toEqual({ items: [1], last: 2, hasMore: true });
  });

  test('that are filtered hold every wanted item once, and read no more than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, limits, fc.integer({ min: 1, max: 5 }), async (items, limit, maxRead) => {
        const isWanted = (size: number) => size % 3 === 0;
        const collected: number[] = [];
        let looked = 0;
        for (let hasMore = true; hasMore; ) {
          let read = 0;
          async function* counted() {
            for await (const item of from(items, looked)) {
              read++;
              yield item;
            }
          }
          const page = await readPage(counted(), {
            limit,
            maxBytes: 1000,
            bytesOf: () => 1,
            isWanted,
            maxRead,
          });
          // The page reads one more to learn whether the listing continues.
          expect(read).toBeLessThanOrEqual(maxRead + 1);
          collected.push(...page.items);
          looked += page.hasMore ? read - 1 : read;
          hasMore = page.hasMore;
        }
        expect(collected).toEqual(items.filter(isWanted));
      }),
    );
  });
});
