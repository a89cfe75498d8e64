import { anEntry } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ChainEnd, inBlocks, link, noBlock, timeSlot } from './link.ts';
import { blockId, hashOf, numberOf, RETENTION_MS, type StoredBlock } from './stored-block.ts';
import { verifyChain } from './verify.ts';

const WORKSPACE = 'ws_1';
const START = Date.parse('2026-05-01T00:00:00.000Z');

const entryAt = (ms: number, request: number) =>
  anEntry({ at: new Date(START + ms).toISOString(), request_id: `req_${request}` });

/** The chain that results when these entries arrive, each list at once; a number is the time of an entry. */
function chainOf(arrivals: readonly (readonly number[])[]): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  let end: ChainEnd = noBlock;
  for (const [arrival, times] of arrivals.entries()) {
    const entries = times
      .map((ms, index) => entryAt(ms, index))
      .map((entry) => ({ entry, source: `gateway ${arrival} ${timeSlot(entry)}` }));
    for (const together of inBlocks(entries)) {
      const block = link(WORKSPACE, end, together);
      blocks.push(block);
      end = { ...block, number: numberOf(block) };
    }
  }
  return blocks;
}

const endOf = (blocks: readonly StoredBlock[]) => {
  const last = blocks.at(-1)!;
  return { number: numberOf(last), hash: last.hash, expires_at: last.expires_at };
};

async function verify(blocks: readonly StoredBlock[], end: ChainEnd, now = new Date(START)) {
  return await verifyChain({
    blocks: (async function* () {
      yield* blocks
        .filter(({ expires_at }) => expires_at > now)
        .toSorted((a, b) => numberOf(a) - numberOf(b));
    })(),
    end,
    now,
  });
}

const times = fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 5 });
const chains = fc.array(times, { minLength: 1, maxLength: 8 }).map(chainOf);
/** A chain with the number of one of its blocks. */
const withOne = chains.chain((blocks) => fc.tuple(fc.constant(blocks), fc.nat({ max: blocks.length - 1 })));

describe('a chain', () => {
  test('is valid as it was stored, with every source in one block of little time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(times, { minLength: 1, maxLength: 8 }), async (arrivals) => {
        const blocks = chainOf(arrivals);
        const { found, entries } = await verify(blocks, endOf(blocks));
        expect(found).toEqual([]);
        expect(entries).toBe(arrivals.flat().length);
        const sources = blocks.flatMap((block) => block.sources);
        expect(new Set(sources).size).toBe(sources.length);
        for (const { from, to } of blocks) expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(10_000);
      }),
    );
  });

  test('is valid whenever its first blocks have expired', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.integer({ min: 0, max: 70_000 }), async (blocks, ms) => {
        const now = new Date(START + RETENTION_MS + ms);
        const { found } = await verify(blocks, endOf(blocks), now);
        expect(found).toEqual([]);
      }),
    );
  });

  const changes: readonly [string, (block: StoredBlock) => Partial<StoredBlock>][] = [
    ['an entry', ({ entries }) => ({ entries: entries.replace('olga', 'mika') })],
    ['the terms', ({ terms }) => ({ terms: terms.slice(1) })],
    ['its expiry', ({ expires_at }) => ({ expires_at: new Date(expires_at.getTime() + 1) })],
    ['its messages', () => ({ sources: [] })],
    ['its hash', () => ({ hash: hashOf(chainOf([[1]])[0]!) })],
  ];
  test.each(changes)('names the block in which %s was changed', async (_what, change) => {
    await fc.assert(
      fc.asyncProperty(withOne, async ([blocks, at]) => {
        const block = blocks[at]!;
        const changed = { ...block, ...change(block) };
        fc.pre(JSON.stringify(changed) !== JSON.stringify(block));
        const { found } = await verify(blocks.with(at, changed), endOf(blocks));
        expect(found).toEqual([{ block: at, problem: 'changed' }]);
      }),
    );
  });

  test('names a block that was written anew, with a right hash, when another follows', async () => {
    await fc.assert(
      fc.asyncProperty(withOne, async ([blocks, at]) => {
        fc.pre(at < blocks.length - 1);
        const { hash: _hash, ...rest } = blocks[at]!;
        const forged = { ...rest, entries: rest.entries.replace('olga', 'mika') };
        const { found } = await verify(blocks.with(at, { ...forged, hash: hashOf(forged) }), endOf(blocks));
        expect(found).toEqual([{ block: at, problem: 'changed' }]);
      }),
    );
  });

  test('names a block that was removed, also the first and the last', async () => {
    await fc.assert(
      fc.asyncProperty(withOne, async ([blocks, at]) => {
        const { found } = await verify(blocks.toSpliced(at, 1), endOf(blocks));
        expect(found).toEqual([{ block: at, problem: 'removed' }]);
      }),
    );
  });

  test('names blocks that were swapped', async () => {
    await fc.assert(
      fc.asyncProperty(withOne, fc.nat(), async ([blocks, one], random) => {
        const other = random % blocks.length;
        fc.pre(one !== other);
        const moved = (from: number, to: number) => ({ ...blocks[from]!, _id: blockId(WORKSPACE, to) });
        const swapped = blocks.with(one, moved(other, one)).with(other, moved(one, other));
        const { found } = await verify(swapped, endOf(blocks));
        const expected = [one, other].toSorted((a, b) => a - b);
        expect(found).toEqual(expected.map((block) => ({ block, problem: 'swapped' })));
      }),
    );
  });
});
