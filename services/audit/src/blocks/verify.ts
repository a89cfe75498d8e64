import type { Timed, verifyAudit } from '@action-platform/contracts/calls';
import { whileAwaited, within } from '@action-platform/mongo';
import type { z } from 'zod';
import type { Seals } from './seals.ts';
import { firstNumber } from './stored-beginning.ts';
import {
  blockId,
  blocksOf,
  type Chains,
  endProblemOf,
  numberOf,
  problemOf,
  type StoredBlock,
  type StoredEnd,
} from './stored-block.ts';

/** The result of a verification. */
type Verification = Omit<z.output<typeof verifyAudit.output>, 'valid'>;

/**
 * The damage of a chain. `block` is the number of the block; of several removed ones the first, up to `to`; of the end, the last block. An
 * added document that is no block of the chain has its `id` instead.
 */
export type Tampering = Verification['found'][number];

interface Verified {
  /** The blocks of a Workspace that have not expired, by number. */
  readonly blocks: AsyncIterable<StoredBlock>;
  /** The recorded end of the chain; undefined before its first block. */
  readonly end: StoredEnd | undefined;
  /** The number of the first block; earlier blocks were removed after the retention. */
  readonly first: number;
  readonly seals: Seals;
  readonly now: Date;
}

/** How many blocks with another hash are held, to find out which were swapped. */
const MOST_SUSPECTS = 50;
/**
 * How many blocks the database returns at once, with at most 16 MiB of the largest, and how many one query reads: its commands together
 * have a time limit.
 */
const [READ_TOGETHER, QUERIED_TOGETHER] = [250, 10_000];
/** How many added documents are named. */
const MOST_ADDED = 100;

/** Verifies the chain of a Workspace. */
export async function verifyWorkspace(
  chains: Chains,
  workspaceId: string,
  timed: Timed,
): Promise<Verification> {
  const { blocks, ends, beginnings, seals } = chains;
  const readFirst = async () =>
    firstNumber(await beginnings.findOne({ _id: workspaceId }, within(timed)), seals);
  const readEnd = async () => (await ends.findOne({ _id: workspaceId }, within(timed))) ?? undefined;
  const now = new Date();
  const first = await readFirst();
  // The end is read first: blocks may follow it meanwhile, and are no contradiction.
  const end = await readEnd();
  const kept = keptBlocks(blocks, { workspaceId, first, now }, timed);
  const verified = await verifyChain({ blocks: kept, end, first, seals, now });
  // The chain began meanwhile, or its first blocks were removed.
  const hasBegun = end === undefined && verified.blocks > 0 && (await readEnd()) !== undefined;
  if (hasBegun || (await readFirst()) !== first) return await verifyWorkspace(chains, workspaceId, timed);
  const others = blocks.find(
    { workspace_id: workspaceId, _id: { $not: new RegExp(`^${RegExp.escape(workspaceId)}/\\d{12}$`) } },
    { ...within(timed), hint: 'time', limit: MOST_ADDED, projection: { _id: 1 } },
  );
  const added = (await others.toArray()).map(({ _id }) => ({ problem: 'added' as const, id: String(_id) }));
  return { ...verified, found: [...verified.found, ...added] };
}

/** The blocks of a Workspace from the first one on that have not expired, by number: any number of them, while a caller waits. */
async function* keptBlocks(
  blocks: Chains['blocks'],
  { workspaceId, first, now }: { readonly workspaceId: string; readonly first: number; readonly now: Date },
  timed: Timed,
): AsyncGenerator<StoredBlock> {
  const sort = { _id: 1 } as const;
  const options = { batchSize: READ_TOGETHER, limit: QUERIED_TOGETHER, sort, hint: sort };
  let after: object = { $gte: blockId(workspaceId, first) };
  let read: number;
  do {
    read = 0;
    const kept = {
      _id: { ...blocksOf(workspaceId)._id, ...after },
      // No block of the platform is without a time; the database deletes none that is.
      $or: [{ expires_at: { $gt: now } }, { expires_at: { $not: { $type: 'date' as const } } }],
    };
    const found = blocks.find(kept, { ...options, ...within(timed) });
    for await (const block of whileAwaited<StoredBlock>(found, timed)) {
      yield block;
      after = { $gt: block._id };
      read++;
    }
  } while (read === QUERIED_TOGETHER);
}

/**
 * Verifies a chain. Expired blocks are absent, all before the first that has not expired; a block tells when the one before it
 * expires, so an earlier deletion is found.
 */
export async function verifyChain({ blocks, end, first, seals, now }: Verified): Promise<Verification> {
  const found: Tampering[] = [];
  const suspects: StoredBlock[] = [];
  const endProblem = end && endProblemOf(end, seals);
  let before: StoredBlock | undefined;
  let [count, entries] = [0, 0];
  let first_block: number | null = null;
  for await (const block of blocks) {
    const number = numberOf(block);
    first_block ??= number;
    count++;
    const expected = before === undefined ? first : numberOf(before) + 1;
    const isBeyond = end !== undefined && endProblem === undefined && number > end.number;
    // A block that was added beyond the end tells nothing of the blocks before it.
    const to = isBeyond ? Math.min(number - 1, end.number) : number - 1;
    if (before !== undefined && to >= expected) found.push(removed(expected, to));
    // Of the blocks before the first one, only the last is known to have been there until now.
    else if (before === undefined && to >= expected && (block.previous_expires_at ?? now) > now)
      found.push(removed(to, to));
    const problem = problemOf(block, seals);
    if (problem !== undefined) {
      found.push({ block: number, problem: isBeyond ? 'added' : problem });
      if (suspects.length < MOST_SUSPECTS) suspects.push(block);
    } else {
      entries += block.entries.split('\n').length;
      // The chain is broken: another block took the place of the one before, or this block took the place of the last.
      if (before !== undefined && number === expected && block.previous !== before.hash) {
        if (found.at(-1)?.block !== expected - 1) found.push({ block: expected - 1, problem: 'changed' });
      } else if (number === end?.number && block.hash !== end.hash && endProblem === undefined)
        found.push({ block: number, problem: 'changed' });
    }
    before = block;
  }
  const last = before === undefined ? null : numberOf(before);
  if (end === undefined) {
    if (last !== null) found.push({ block: last, problem: 'end_removed' });
  } else if (endProblem !== undefined) {
    const problem = endProblem === 'changed' ? 'end_changed' : endProblem;
    found.push({ block: last ?? 0, problem });
  } else if ((end.expires_at ?? now) > now && end.number > (last ?? first - 1))
    found.push(removed((last ?? end.number - 1) + 1, end.number));
  const isMoved = (block: StoredBlock) =>
    suspects.some(({ _id }) => problemOf({ ...block, _id }, seals) === undefined);
  const swapped = new Set(suspects.filter(isMoved).map(numberOf));
  return {
    blocks: count,
    entries,
    first_block,
    last_block: last,
    hash: before?.hash ?? '',
    found: found.map((each) => (swapped.has(each.block ?? -1) ? { ...each, problem: 'swapped' } : each)),
  };
}

function removed(block: number, to: number): Tampering {
  return { block, problem: 'removed', ...(to > block && { to }) };
}
