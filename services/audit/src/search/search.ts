import type { AuditFilters, Timed } from '@action-platform/contracts';
import { whileAwaited, within } from '@action-platform/mongo';
import { MOST_SPAN_MS } from '../blocks/link.ts';
import type { Chains, StoredBlock } from '../blocks/stored-block.ts';
import { wantedTerms } from '../blocks/terms.ts';
import { comparePlaces, type Found, newestFirst, type Place } from './newest-first.ts';

/** How many blocks the database returns at once; each has up to 1,000 entries. */
const READ_TOGETHER = 8;

/** What to search for. */
export interface Search {
  readonly workspaceId: string;
  readonly filters: AuditFilters;
  /** Only entries after this place of the listing. */
  readonly after?: Place | undefined;
}

/**
 * The entries of a Workspace within the times of the filters, newest first, of those blocks that have the values of all other filters: not
 * every entry of them is wanted.
 */
export function search(
  { blocks }: Chains,
  { workspaceId, filters, after }: Search,
  timed: Timed,
): AsyncGenerator<Found> {
  const from = timeOf(filters.from) ?? 0;
  const end = timeOf(filters.to) ?? Number.POSITIVE_INFINITY;
  const terms = wantedTerms(filters);
  const newest = Math.min(end, after?.at ?? Number.POSITIVE_INFINITY) + MOST_SPAN_MS;
  const found = blocks
    .find(
      {
        workspace_id: workspaceId,
        ...(Object.keys(terms).length > 0 && { terms }),
        to: { $gte: new Date(from), ...(Number.isFinite(newest) && { $lte: new Date(newest) }) },
      },
      { ...within(timed), batchSize: READ_TOGETHER, projection: { terms: 0, sources: 0 } },
    )
    .sort({ to: -1, _id: -1 });
  return newestFirst(
    whileAwaited<StoredBlock>(found, timed),
    (each) => each.at >= from && each.at < end && (after === undefined || comparePlaces(each, after) < 0),
  );
}

function timeOf(filter: string | undefined): number | undefined {
  return filter === undefined ? undefined : Date.parse(filter.toUpperCase());
}
