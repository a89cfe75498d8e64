import type { AuditEntry } from '@action-platform/contracts/audit';
import { inBackground } from '@action-platform/contracts/calls';
import { within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import { MOST_SPAN_MS } from '../blocks/link.ts';
import { blockId, blocksOf, type Chains, numberOf } from '../blocks/stored-block.ts';
import { term as termOf } from '../blocks/terms.ts';
import type { Visible } from '../search/visible.ts';
import { countBlocks } from './count-blocks.ts';
import { type Counts, type StoredCounts, sum } from './stored-counts.ts';

export const HOUR_MS = 3_600_000;
/** How many hours are counted at once. */
const COUNTED_TOGETHER = 4;

/** The calls of a period, in milliseconds, that a caller may see. */
interface Counted {
  readonly chains: Chains;
  readonly counts: Collection<StoredCounts>;
  readonly workspaceId: string;
  readonly visible: Visible;
  readonly from: number;
  readonly to: number;
}

/** An hour with blocks: its beginning, and the id of the last of them. */
interface Hour {
  readonly _id: Date;
  readonly last: string;
}

/**
 * Counts the calls of a period by hour; every block is of one. The counts of a whole hour are kept with the number of the last block
 * counted, and later blocks are added, so an entry counts whenever it comes. A call that is interrupted leaves what it has counted: whole
 * hours, and parts of those that it has begun.
 */
export async function countCalls(
  { chains: { blocks, retentionMs }, counts, workspaceId: workspace_id, visible, from, to }: Counted,
  context: CallContext,
): Promise<ReadonlyMap<number, Counts>> {
  const { grant_id, user_id } = visible.filters;
  // A grant is of one Member.
  const own = grant_id === undefined ? user_id && termOf('user_id', user_id) : termOf('grant_id', grant_id);
  const term = own ?? '';
  const hint = own === undefined ? 'time' : 'terms';
  const between = (begin: number, end: number) => ({ $gte: new Date(begin), $lt: new Date(end) });
  const until = Math.min(to + MOST_SPAN_MS, Math.ceil(to / HOUR_MS) * HOUR_MS);

  // A block that is stored meanwhile may be missed and a later one not: both blocks count next time.
  const newest = { hint: '_id_', projection: { _id: 1 }, ...within(context) };
  const chain = blocks.find({ workspace_id, ...blocksOf(workspace_id) }, newest).sort({ _id: -1 });
  const [end] = await chain.limit(1).toArray();
  if (end === undefined || from >= to) return new Map();
  const ofCalls = { workspace_id, ...(own !== undefined && { terms: own }) };
  const $match = {
    ...ofCalls,
    to: between(from, until),
    _id: { $gte: blockId(workspace_id, 0), $lte: end._id },
  };
  const $group = { _id: { $dateTrunc: { date: '$to', unit: 'hour' } }, last: { $max: '$_id' } };
  const found = blocks.aggregate<Hour>([{ $match }, { $group }], { hint, ...within(context) });
  const hours = await found.toArray();
  const keptHours = { workspace_id, term, hour: between(from, to) };
  const stored = await counts.find(keptHours, within(context)).toArray();
  const kept = new Map(stored.map((each) => [each.hour.getTime(), each]));

  const count = async ({ _id: hour, last }: Hour): Promise<readonly [number, Counts]> => {
    const begin = hour.getTime();
    const isWhole = from <= begin && begin + HOUR_MS <= to;
    const former = isWhole ? kept.get(begin) : undefined;
    const next = blockId(workspace_id, (former?.counted ?? -1) + 1);
    if (former !== undefined && last < next) return [begin, former];
    const times = between(Math.max(from, begin), Math.min(until, begin + HOUR_MS));
    const isCounted = (entry: AuditEntry) => {
      const at = Date.parse(entry.at);
      return from <= at && at < to && visible.includes(entry);
    };
    const later = { ...ofCalls, to: times, _id: { $gte: next, $lte: last } };
    const ids = blocks.find(later, { hint, projection: { _id: 1 }, ...within(context) });
    const uncounted = (await ids.toArray()).map(({ _id }) => _id);
    let total: Counts = former ?? { calls: 0, refused: 0, failed: 0 };
    let counted: string | undefined;
    try {
      const some = { workspaceId: workspace_id, ids: uncounted };
      const counting = isWhole && own === undefined ? undefined : isCounted;
      for await (const { _id, ...more } of countBlocks(blocks, some, counting, context)) {
        total = sum(total, more);
        counted = _id;
      }
      counted = last;
    } finally {
      // Also after the deadline: a repeated call would count the same blocks again.
      if (isWhole && counted !== undefined) {
        const { calls, refused, failed } = total;
        const expires_at = new Date(begin + retentionMs);
        await counts.updateOne(
          { workspace_id, term, hour },
          { $set: { calls, refused, failed, counted: numberOf({ _id: counted }), expires_at } },
          { upsert: true, ...within(inBackground) },
        );
      }
    }
    return [begin, total];
  };
  const counted = [];
  for (let at = 0; at < hours.length; at += COUNTED_TOGETHER)
    counted.push(...(await Promise.all(hours.slice(at, at + COUNTED_TOGETHER).map(count))));
  return new Map(counted);
}
