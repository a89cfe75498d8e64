import { hash } from 'node:crypto';
import { listEntries } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import type { EntryPosition } from '../search/newest-first.ts';
import { search } from '../search/search.ts';
import { visibleTo } from '../search/visible.ts';

/** The most entries that a page reads: with several filters, a block may have the value of each in different entries. */
const MOST_READ = 50_000;

/** `audit.list_entries` */
export function serveListEntries({ chains, cursors, limits }: Dependencies): ServedCall {
  return serveOperation(listEntries, async ({ limit, cursor, ...asked }, context) => {
    const { workspaceId } = context.principal;
    const visible = await visibleTo(chains, context.principal, asked, context);
    const filters = visible?.filters ?? asked;
    const filtered = hash('sha256', JSON.stringify(filters), 'base64url').slice(0, 16);
    const listing = `audit ${workspaceId} ${filtered}`;
    const page = await cursors.page(listing, cursor, {
      read: (after) =>
        visible === undefined
          ? []
          : search(chains, { workspaceId, filters, after: positionIn(after) }, context),
      positionOf: ({ at, block, index }) => [at, block, index].join(),
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ entry }) => Buffer.byteLength(JSON.stringify(entry)),
      isWanted: ({ entry }) => visible!.includes(entry),
      maxRead: MOST_READ,
    });
    return { entries: page.items.map(({ entry }) => entry), next_cursor: page.next };
  });
}

function positionIn(position: string | undefined): EntryPosition | undefined {
  if (position === undefined) return undefined;
  const [at, block, index] = position.split(',').map(Number);
  return { at: at!, block: block!, index: index! };
}
