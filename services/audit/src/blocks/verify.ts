import type { ChainEnd } from './link.ts';
import { hashOf, numberOf, type StoredBlock } from './stored-block.ts';

/** What was done to blocks of a chain. */
export interface Tampering {
  /** The number of the block; of several removed ones, the first. */
  readonly block: number;
  readonly problem: 'changed' | 'removed' | 'swapped';
  /** The last of several removed blocks. */
  readonly to?: number;
}

/** The result of a verification. */
export interface Verification {
  readonly blocks: number;
  readonly entries: number;
  readonly first: number | null;
  readonly last: number | null;
  /** The hash of the last block; empty without one. */
  readonly hash: string;
  readonly found: readonly Tampering[];
}

interface Verified {
  /** The blocks of a Workspace that have not expired, by number. */
  readonly blocks: AsyncIterable<StoredBlock>;
  /** The recorded end of the chain; undefined before its first block. */
  readonly end: ChainEnd | undefined;
  readonly now: Date;
}

/** How many blocks with another hash are held, to find out which were swapped. */
const MOST_SUSPECTS = 50;

/**
 * Verifies a chain. Expired blocks are absent, all before the first that has not expired; a block tells when the one before it
 * expires, so an earlier deletion is found.
 */
export async function verifyChain({ blocks, end, now }: Verified): Promise<Verification> {
  const found: Tampering[] = [];
  const suspects: StoredBlock[] = [];
  let before: StoredBlock | undefined;
  let [count, entries] = [0, 0];
  let first: number | null = null;
  for await (const block of blocks) {
    const number = numberOf(block);
    first ??= number;
    count++;
    entries += block.entries.split('\n').length;
    const expected = before === undefined ? 0 : numberOf(before) + 1;
    if (number > expected) {
      // Of the blocks before the first one, only the last is known to have been there until now.
      if (before !== undefined) found.push(removed(expected, number - 1));
      else if ((block.previous_expires_at ?? now) > now) found.push(removed(number - 1, number - 1));
    }
    if (hashOf(block) !== block.hash) {
      found.push({ block: number, problem: 'changed' });
      if (suspects.length < MOST_SUSPECTS) suspects.push(block);
    } else if (before !== undefined && number === expected && block.previous !== before.hash) {
      // The block before was replaced by another, with a right hash of its own.
      if (found.at(-1)?.block !== expected - 1) found.push({ block: expected - 1, problem: 'changed' });
    }
    before = block;
  }
  const last = before === undefined ? null : numberOf(before);
  const isWhole = end === undefined || (end.expires_at ?? now) <= now || end.number <= (last ?? -1);
  if (!isWhole) found.push(removed((last ?? end.number - 1) + 1, end.number));
  const swapped = new Set(suspects.filter((block) => isFrom(block, suspects)).map(numberOf));
  return {
    blocks: count,
    entries,
    first,
    last,
    hash: before?.hash ?? '',
    found: found.map((each) => (swapped.has(each.block) ? { ...each, problem: 'swapped' } : each)),
  };
}

function removed(block: number, to: number): Tampering {
  return { block, problem: 'removed', ...(to > block && { to }) };
}

/** Whether a block is right in the place of one of the others. */
function isFrom(block: StoredBlock, others: readonly StoredBlock[]): boolean {
  return others.some(({ _id }) => hashOf({ ...block, _id }) === block.hash);
}
