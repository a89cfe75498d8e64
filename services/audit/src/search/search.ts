import type { AuditFilters } from '@action-platform/contracts/operations';
import { whileAwaited, within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { Filter } from 'mongodb';
import { MOST_SPAN_MS } from '../blocks/link.ts';
import {
  type Chains,
  numberOf,
  type ReadBlock,
  readBlock,
  type StoredBlock,
} from '../blocks/stored-block.ts';
import { wantedTerms } from '../blocks/terms.ts';
import { comparePositions, type EntryPosition, type Found, newestFirst } from './newest-first.ts';

/** How many blocks the database returns at once; a block has up to 1,000 entries. */
const READ_TOGETHER = 8;

/** How many blocks with a term are counted. */
const MOST_COUNTED = 1_000;

export const DAY_MS = 86_400_000;

/** The conditions of a search. */
export interface Search {
  readonly workspaceId: string;
  readonly filters: AuditFilters;
  /** Only entries after this place of the listing. */
  readonly after?: EntryPosition | undefined;
}

/**
 * The entries of a Workspace within the times of the filters, newest first, of those blocks that have the values of all other filters: not
 * every entry of them is wanted. `search` passes over a block that was altered so that it cannot be read, and names it in the log.
 */
export async function* search(
  { blocks }: Chains,
  { workspaceId, filters, after }: Search,
  context: CallContext,
): AsyncGenerator<Found> {
  const from = timeOf(filters.from) ?? 0;
  const end = endOf(filters.to) ?? Number.POSITIVE_INFINITY;
  const newest = Math.min(end, after?.at ?? Number.POSITIVE_INFINITY) + MOST_SPAN_MS;
  const inTime = {
    workspace_id: workspaceId,
    to: { $gte: new Date(from), ...(Number.isFinite(newest) && { $lte: new Date(newest) }) },
  };
  const terms = await termsIn(blocks, inTime, filters, context);
  const found = blocks
    .find(
      { ...inTime, ...(terms !== undefined && { terms }) },
      { ...within(context), batchSize: READ_TOGETHER, projection: { terms: 0, sources: 0 } },
    )
    .sort({ to: -1, _id: -1 });
  yield* newestFirst(
    readable(whileAwaited<StoredBlock>(found, context), context),
    (each) => each.at >= from && each.at < end && (after === undefined || comparePositions(each, after) < 0),
  );
}

/**
 * The condition for the terms of wanted blocks. MongoDB reads the index by the first of several terms and each of those blocks for the
 * others, so the first is the term that fewest blocks have.
 */
async function termsIn(
  blocks: Chains['blocks'],
  inTime: Filter<StoredBlock>,
  filters: AuditFilters,
  context: CallContext,
): Promise<object | undefined> {
  const wanted = wantedTerms(filters);
  if ('any' in wanted) return { $in: wanted.any };
  const { all } = wanted;
  if (all.length < 2) return all.length === 0 ? undefined : { $all: all };
  const counted = all.map(async (term) => {
    const limited = { hint: 'terms', limit: MOST_COUNTED, ...within(context) };
    return { term, count: await blocks.countDocuments({ ...inTime, terms: term }, limited) };
  });
  const rarestFirst = (await Promise.all(counted)).sort((a, b) => a.count - b.count);
  return { $all: rarestFirst.map(({ term }) => term) };
}

async function* readable(
  blocks: AsyncIterable<StoredBlock>,
  { log }: CallContext,
): AsyncGenerator<ReadBlock> {
  for await (const block of blocks) {
    const read = readBlock(block);
    if (read !== undefined) yield read;
    else log.error({ block: numberOf(block) }, 'a block of the audit log was altered: audit verify names it');
  }
}

/** The time of a filter `from`, in milliseconds: a day stands for its beginning. */
export function timeOf(from: string | undefined): number | undefined {
  return from === undefined ? undefined : Date.parse(from.toUpperCase());
}

/** The time before which entries match a filter `to`, in milliseconds: a day stands for its end. */
export function endOf(to: string | undefined): number | undefined {
  const time = timeOf(to);
  return time === undefined || /T/i.test(to!) ? time : time + DAY_MS;
}
