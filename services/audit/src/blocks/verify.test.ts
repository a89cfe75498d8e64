import { readSecretKeys } from '@action-platform/sealing';
import { anEntry, SEAL_KEYS } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testChains, testSeals } from '../test-support/test-seals.ts';
import { type ChainEnd, inBlocks, link, noBlock, timeSlot } from './link.ts';
import { Seals } from './seals.ts';
import { blockId, hashOf, numberOf, type StoredBlock, type StoredEnd, textOf } from './stored-block.ts';
import { verifyChain } from './verify.ts';

const WORKSPACE = 'ws_1';
/** Of another deployment, with the same id of its key. */
const otherSeals = new Seals(readSecretKeys('SEAL_KEYS', `test:${Buffer.alloc(32, 'x').toString('base64')}`));
const START = Date.parse('2026-05-01T00:00:00.000Z');

const entryAt = (ms: number, request: number) => ({
  ...anEntry({ at: new Date(START + ms).toISOString(), request_id: `req_${request}` }),
  outcome: 'done' as const,
});

/** The chain that results when these entries arrive, each list at once; a number is the time of an entry. */
function chainOf(arrivals: readonly (readonly number[])[]): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  let end: ChainEnd = noBlock;
  for (const [arrival, times] of arrivals.entries()) {
    const entries = times
      .map((ms, index) => entryAt(ms, index))
      .map((entry) => ({ entry, source: `gateway ${arrival} ${timeSlot(entry)}` }));
    for (const together of inBlocks(entries)) {
      const block = link(WORKSPACE, end, together, testChains);
      blocks.push(block);
      end = { ...block, number: numberOf(block) };
    }
  }
  return blocks;
}

function endOf(blocks: readonly StoredBlock[]): StoredEnd {
  const { hash, expires_at, ...last } = blocks.at(-1)!;
  const end = { _id: WORKSPACE, number: numberOf(last), hash, expires_at };
  return { ...end, seal: testSeals.of(textOf(end)) };
}

async function verify(
  blocks: readonly StoredBlock[],
  end: StoredEnd | undefined,
  now = new Date(START),
  seals = testSeals,
  first = 0,
) {
  return await verifyChain({
    blocks: (async function* () {
      yield* blocks
        .filter(({ expires_at }) => expires_at > now)
        .toSorted((a, b) => numberOf(a) - numberOf(b));
    })(),
    end,
    first,
    seals,
    now,
  });
}

const times = fc.array(fc.nat({ max: 60_000 }), { minLength: 1, maxLength: 5 });
const chains = fc.array(times, { minLength: 1, maxLength: 8 }).map(chainOf);

/** Expects these findings in any chain after a change, which gets the number of one of its blocks. */
const findsAfter = (
  change: (blocks: StoredBlock[], at: number) => StoredBlock[],
  expected: (at: number, blocks: StoredBlock[]) => object,
) =>
  fc.assert(
    fc.asyncProperty(chains, fc.nat(), async (blocks, random) => {
      const at = random % blocks.length;
      const changed = change(blocks, at);
      fc.pre(JSON.stringify(changed) !== JSON.stringify(blocks));
      expect((await verify(changed, endOf(blocks))).found).toEqual([expected(at, blocks)]);
    }),
  );

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
        const now = new Date(START + testChains.retentionMs + ms);
        const { found } = await verify(blocks, endOf(blocks), now);
        expect(found).toEqual([]);
      }),
    );
  });

  test('is valid from the number of its first block on, and names those after it that were removed', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), fc.nat(), async (blocks, ...random) => {
        const [first, removed] = random.map((each) => each % (blocks.length + 1)) as [number, number];
        const end = endOf(blocks);
        const { found } = await verify(blocks.slice(removed), end, undefined, undefined, first);
        if (removed <= first) expect(found).toEqual([]);
        else expect(found).toMatchObject([{ problem: 'removed' }]);
      }),
    );
  });

  const forged = (block: StoredBlock) => ({ ...block, entries: block.entries.replace('olga', 'mika') });
  const changes: readonly [string, (block: StoredBlock) => Partial<StoredBlock>][] = [
    ['an entry', forged],
    ['an entry, with a right hash', (block) => ({ ...forged(block), hash: hashOf(forged(block)) })],
    ['the terms', ({ terms }) => ({ terms: terms.slice(1) })],
    ['its expiry', ({ expires_at }) => ({ expires_at: new Date(expires_at.getTime() + 1) })],
    ['its messages', () => ({ sources: [] })],
    ['its hash', () => ({ hash: hashOf(chainOf([[1]])[0]!) })],
    ['its seal', ({ hash }) => ({ seal: otherSeals.of(`block ${hash}`) })],
    ['the type of its entries', ({ entries }) => ({ entries: [entries] as never })],
    ['the type of a source', ({ sources }) => ({ sources: [[sources[0]]] as never })],
    ['the type of a field', () => ({ entries: null as never, from: 'x' as never })],
  ];
  test.each(changes)('names the block in which %s was changed', (_what, change) =>
    findsAfter(
      (blocks, at) => blocks.with(at, { ...blocks[at]!, ...change(blocks[at]!) }),
      (block) => ({ block, problem: 'changed' }),
    ),
  );

  test('names a block that was removed, also the first and the last', () =>
    findsAfter(
      (blocks, at) => blocks.toSpliced(at, 1),
      (block) => ({ block, problem: 'removed' }),
    ));

  test('names a block that was added without a seal', () =>
    findsAfter(
      (blocks) => {
        const last = blocks.at(-1)!;
        const added = { ...last, _id: blockId(WORKSPACE, blocks.length), previous: last.hash };
        return [...blocks, { ...added, hash: hashOf(added) }];
      },
      (_at, { length: block }) => ({ block, problem: 'added' }),
    ));

  test('names its end when that was changed or removed, also with the last blocks', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async (left) => {
        const block = left.length - 1;
        expect((await verify(left, undefined)).found).toEqual([{ block, problem: 'end_removed' }]);
        const changed = { ...endOf(left), seal: otherSeals.of(textOf(endOf(left))) };
        expect((await verify(left, changed)).found).toEqual([{ block, problem: 'end_changed' }]);
        const end = endOf(left);
        const ofAnotherType = { ...end, expires_at: end.expires_at!.toISOString() as never };
        const { found } = await verify(left.slice(0, -1), ofAnotherType);
        expect(found).toEqual([{ block: Math.max(0, block - 1), problem: 'end_changed' }]);
      }),
    );
  });

  test('is valid with a former key, and names each block whose key is missing', async () => {
    const [former, present] = [SEAL_KEYS, SEAL_KEYS.replace('test:', 'next:')];
    const sealsWith = (keys: string) => new Seals(readSecretKeys('SEAL_KEYS', keys));
    const blocks = chainOf([[1], [2]]);
    const verified = (seals: Seals) => verify(blocks, endOf(blocks), undefined, seals);
    expect((await verified(sealsWith(`${present},${former}`))).found).toEqual([]);
    const { found } = await verified(sealsWith(present));
    expect(found.map(({ problem }) => problem)).toEqual(['unknown_key', 'unknown_key', 'unknown_key']);
  });

  test('names blocks that were swapped', async () => {
    await fc.assert(
      fc.asyncProperty(chains, fc.nat(), fc.nat(), async (blocks, ...random) => {
        const [one, other] = random.map((each) => each % blocks.length) as [number, number];
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
