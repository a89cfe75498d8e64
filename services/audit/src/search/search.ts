import type { AuditFilters } from '@action-platform/contracts';
import { whileAwaited, within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
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

/** How many blocks the database returns at once; each has up to 1,000 entries. */
const READ_TOGETHER = 8;

const DAY_MS = 86_400_000;

/** What to search for. */
export interface Search {
  readonly workspaceId: string;
  readonly filters: AuditFilters;
  /** Only entries after this place of the listing. */
  readonly after?: EntryPosition | undefined;
}

/**
 * The entries of a Workspace within the times of the filters, newest first, of those blocks that have the values of all other filters: not
 * every entry of them is wanted. It passes over a block that was altered so that it cannot be read, and names it in the log.
 */
export function search(
  { blocks }: Chains,
  { workspaceId, filters, after }: Search,
  context: CallContext,
): AsyncGenerator<Found> {
  const from = timeOf(filters.from, 0) ?? 0;
  const end = timeOf(filters.to, DAY_MS) ?? Number.POSITIVE_INFINITY;
  const terms = wantedTerms(filters);
  const newest = Math.min(end, after?.at ?? Number.POSITIVE_INFINITY) + MOST_SPAN_MS;
  const found = blocks
    .find(
      {
        workspace_id: workspaceId,
        ...(Object.keys(terms).length > 0 && { terms }),
        to: { $gte: new Date(from), ...(Number.isFinite(newest) && { $lte: new Date(newest) }) },
      },
      { ...within(context), batchSize: READ_TOGETHER, projection: { terms: 0, sources: 0 } },
    )
    .sort({ to: -1, _id: -1 });
  return newestFirst(
    readable(whileAwaited<StoredBlock>(found, context), context),
    (each) => each.at >= from && each.at < end && (after === undefined || comparePositions(each, after) < 0),
  );
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

/** @param ofDay what a day stands for: this long after its beginning */
function timeOf(filter: string | undefined, ofDay: number): number | undefined {
  if (filter === undefined) return undefined;
  return Date.parse(filter.toUpperCase()) + (filter.includes('T') || filter.includes('t') ? 0 : ofDay);
}
