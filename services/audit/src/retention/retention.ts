import { inBackground } from '@action-platform/contracts/calls';
import { failureLevel } from '@action-platform/contracts/errors';
import { type Rounds, startRounds, unlessTaken, within } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import { beginningAt } from '../blocks/stored-beginning.ts';
import {
  blockId,
  blocksOf,
  type Chains,
  numberOf,
  problemOf,
  type StoredBlock,
} from '../blocks/stored-block.ts';
import type { StoredCounts } from '../counts/stored-counts.ts';
import { DAY_MS } from '../search/search.ts';

/** The pause between two rounds, in milliseconds. */
const PAUSE_MS = 3_600_000;
/** How many blocks are removed at once, which is also how many Workspaces are read at once, and how many blocks the database returns at once. */
const [REMOVED_TOGETHER, READ_TOGETHER] = [1_000, 8];
/** A block that expires so much later than the retention says is no matter of clocks, in milliseconds. */
const CLOCKS_MS = DAY_MS;

type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

interface RetentionOptions {
  readonly chains: Chains;
  readonly counts: Collection<StoredCounts>;
  readonly log: Log;
}

/**
 * Removes blocks that are older than the retention and expire later: such blocks were stored while the retention was longer. Every replica
 * runs the rounds: each step may be repeated, and by several at once. With a retention that was never shortened a round is one query.
 */
export function startRetention(options: RetentionOptions): Rounds {
  const { log } = options;
  const failure = 'old blocks of the audit log were not removed';
  return startRounds(
    async (signal) => {
      const removed = await removeOld(options, signal);
      if (removed > 0) log.info({ removed }, 'blocks of the audit log were removed after their retention');
    },
    { pauseMs: PAUSE_MS, log, failure },
  );
}

/** One round, which ends early when the signal aborts. A failure in one Workspace does not delay the others. @returns how many blocks it removed */
export async function removeOld(
  { chains, counts, log }: RetentionOptions,
  signal: AbortSignal,
): Promise<number> {
  const { blocks, ends, retentionMs } = chains;
  const before = new Date(Date.now() - retentionMs);
  const expiringLate = { expires_at: { $gt: new Date(Date.now() + retentionMs + CLOCKS_MS) } };
  const found = await blocks.findOne(expiringLate, { projection: { _id: 1 }, ...within(inBackground) });
  if (found === null) return 0;
  let removed = 0;
  for await (const workspace_id of workspacesOf(ends)) {
    if (signal.aborted) break;
    try {
      let count: number;
      do {
        count = await removeFirst(chains, workspace_id, before, log);
        removed += count;
      } while (count === REMOVED_TOGETHER && !signal.aborted);
      // Counts of an hour whose blocks are removed would be more than an export has.
      await counts.deleteMany({ workspace_id, hour: { $lt: before } }, within(inBackground));
    } catch (err) {
      log[failureLevel(err)]({ err, workspace_id }, 'old blocks of a Workspace were not removed');
    }
  }
  return removed;
}

/** The Workspaces with a chain. Each query ends before its Workspaces are worked on: MongoDB closes a cursor that rests for ten minutes. */
async function* workspacesOf(ends: Chains['ends']): AsyncGenerator<string> {
  const options = { projection: { _id: 1 }, sort: { _id: 1 }, limit: REMOVED_TOGETHER } as const;
  for (let after = ''; ; ) {
    const found = await ends.find({ _id: { $gt: after } }, { ...options, ...within(inBackground) }).toArray();
    yield* found.map(({ _id }) => _id);
    if (found.length < REMOVED_TOGETHER) return;
    after = found.at(-1)!._id;
  }
}

/**
 * Removes the first blocks of a chain that are all older than a time: the beginning first, as a verification has to know it. A block that
 * was changed stays with all that follow it, so a verification still finds the change.
 */
async function removeFirst(chains: Chains, workspaceId: string, before: Date, log: Log): Promise<number> {
  const { blocks, beginnings, seals } = chains;
  const first = blocks
    .find(blocksOf(workspaceId), { ...within(inBackground), batchSize: READ_TOGETHER })
    .sort({ _id: 1 })
    .limit(REMOVED_TOGETHER);
  const old: Pick<StoredBlock, '_id'>[] = [];
  for await (const block of first) {
    const next = old.length === 0 ? numberOf(block) : numberOf(old.at(-1)!) + 1;
    if (numberOf(block) !== next || problemOf(block, seals) !== undefined) {
      const fields = { workspace_id: workspaceId, block: next };
      log.error(fields, 'a block of the audit log was changed or removed; no later one is removed');
      break;
    }
    if (block.to >= before) break;
    old.push({ _id: block._id });
  }
  const last = old.at(-1);
  if (last === undefined) return 0;
  const beginning = beginningAt(workspaceId, numberOf(last) + 1, seals);
  const { _id, number } = beginning;
  const earlier = { _id, number: { $lt: number } };
  // Another replica may have stored a later beginning.
  await unlessTaken(beginnings.replaceOne(earlier, beginning, { upsert: true, ...within(inBackground) }));
  const { deletedCount } = await blocks.deleteMany(
    { _id: { $gte: blockId(workspaceId, 0), $lte: last._id } },
    within(inBackground),
  );
  return deletedCount;
}
