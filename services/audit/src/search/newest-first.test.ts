import type { AuditEntry } from '@action-platform/contracts/audit';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ChainEnd, inBlocks, link, noBlock } from '../blocks/link.ts';
import { numberOf, readBlock, type StoredBlock } from '../blocks/stored-block.ts';
import { testChains } from '../test-support/test-seals.ts';
import { comparePositions, newestFirst } from './newest-first.ts';

/** Blocks of entries at these times, each list stored at once. */
function blocksAt(arrivals: readonly (readonly number[])[]): StoredBlock[] {
  let end: ChainEnd = noBlock;
  return arrivals.flatMap((times) => {
    const entries = times.map((ms) => ({
      entry: { at: new Date(ms).toISOString() } as AuditEntry,
      source: '',
    }));
    const withTargets = entries.map(({ entry, source }) => ({ entry: { ...entry, targets: [] }, source }));
    return inBlocks(withTargets).map((together) => {
      const block = link('ws_1', end, together, testChains);
      end = { ...block, number: numberOf(block) };
      return block;
    });
  });
}

const times = fc.array(fc.nat({ max: 30_000 }), { minLength: 1, maxLength: 8 });

test('the entries of overlapping blocks come newest first, each once, whatever the order in which they arrived', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(times, { maxLength: 10 }), async (arrivals) => {
      const blocks = blocksAt(arrivals).toSorted((a, b) => b.to.getTime() - a.to.getTime());
      const source = (async function* () {
        yield* blocks.map((block) => readBlock(block)!);
      })();
      const found = await Array.fromAsync(newestFirst(source, () => true));
      expect(found).toEqual(found.toSorted((a, b) => comparePositions(b, a)));
      expect(found.map(({ at }) => at).sort()).toEqual(arrivals.flat().sort());
    }),
  );
});
