import { inBackground } from '@action-platform/contracts/calls';
import { type Rounds, startRounds, unlessTaken, within } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import { beginningAt } from '../blocks/stored-beginning.ts';
import { blockId, blocksOf, type Chains, numberOf, type StoredBlock } from '../blocks/stored-block.ts';
import type { StoredCounts } from '../counts/stored-counts.ts';

/** The pause between two rounds, in milliseconds. */
const PAUSE_MS = 3_600_000;
/** How many blocks are removed at once. */
const REMOVED_TOGETHER = 1_000;
/** How far ahead the clock of a process may be that a block needs no round for, in milliseconds. */
const CLOCKS_MS = 86_400_000;

interface RetentionOptions {
  readonly chains: Chains;
  readonly counts: Collection<StoredCounts>;
}

/**
 * Removes blocks that are older than the retention and expire later, because it was longer when they were stored. Every replica does it:
 * each step may be repeated, and by several at once. With a retention that was never shortened a round is one query.
 */
export function startRetention(log: Logger, options: RetentionOptions): Rounds {
  const failure = 'old blocks of the audit log were not removed';
  return startRounds(
    async (signal) => {
      const removed = await removeOld(options, signal);
      if (removed > 0) log.info({ removed }, 'blocks of the audit log were removed after their retention');
    },
    { pauseMs: PAUSE_MS, log, failure },
  );
}

/** One round, which ends early when the signal aborts. @returns how many blocks it removed */
export async function removeOld({ chains, counts }: RetentionOptions, signal: AbortSignal): Promise<number> {
  const { blocks, ends, retentionMs } = chains;
  const before = new Date(Date.now() - retentionMs);
  const expiringLate = { expires_at: { $gt: new Date(Date.now() + retentionMs + CLOCKS_MS) } };
  const found = await blocks.findOne(expiringLate, { projection: { _id: 1 }, ...within(inBackground) });
  if (found === null) return 0;
  let removed = 0;
  for await (const { _id } of ends.find({}, { projection: { _id: 1 }, ...within(inBackground) })) {
    for (let count = REMOVED_TOGETHER; count === REMOVED_TOGETHER && !signal.aborted; removed += count)
      count = await removeFirst(chains, _id, before);
    if (signal.aborted) break;
    // Counts of an hour whose blocks are removed would be more than an export has.
    await counts.deleteMany({ workspace_id: _id, hour: { $lt: before } }, within(inBackground));
  }
  return removed;
}

/** Removes the first blocks of a chain that are all older than a time: the beginning first, as a verification has to know it. */
async function removeFirst(chains: Chains, workspaceId: string, before: Date): Promise<number> {
  const { blocks, beginnings, seals } = chains;
  const first = blocks
    .find(blocksOf(workspaceId), { ...within(inBackground), projection: { to: 1 } })
    .sort({ _id: 1 })
    .limit(REMOVED_TOGETHER);
  const old: Pick<StoredBlock, '_id'>[] = [];
  for await (const block of first) {
    if (block.to >= before) break;
    old.push(block);
  }
  const last = old.at(-1);
  if (last === undefined) return 0;
  const beginning = beginningAt(workspaceId, numberOf(last) + 1, seals);
  const { _id, number } = beginning;
  const earlier = { _id, number: { $lt: number } };
  // Another replica may have stored a later one.
  await unlessTaken(beginnings.replaceOne(earlier, beginning, { upsert: true, ...within(inBackground) }));
  const { deletedCount } = await blocks.deleteMany(
    { _id: { $gte: blockId(workspaceId, 0), $lte: last._id } },
    within(inBackground),
  );
  return deletedCount;
}
