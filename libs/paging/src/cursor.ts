import { ActionError } from '@action-platform/contracts';
import type { Page } from './page.ts';

/**
 * The `next_cursor` after a page of a listing: opaque, at the last item that the page read; null after the last page.
 *
 * @param listing the name of the listing with its filters; `positionIn` refuses a cursor of another one.
 */
export function nextCursor<Item>(
  listing: string,
  { last, hasMore }: Page<Item>,
  positionOf: (item: Item) => string,
): string | null {
  return hasMore && last !== undefined ? encodeCursor(listing, positionOf(last)) : null;
}

/**
 * The position in a caller's cursor; undefined without one.
 *
 * @param isPosition whether this listing can have this position: cursors are not signed, so a client may forge one.
 * @throws ActionError `invalid_request` when the cursor is not one of this listing.
 */
export function positionIn(
  listing: string,
  cursor: string | undefined,
  isPosition: (position: string) => boolean,
): string | undefined {
  if (cursor === undefined) return undefined;
  const position = decoded(listing, cursor);
  if (position !== undefined && isPosition(position)) return position;
  throw new ActionError('invalid_request', {
    message: 'cursor: must be the next cursor of this same listing.',
  });
}

/** A cursor of the same listing as another one, at this position. */
export function cursorAt(cursor: string, position: string): string {
  const [listing] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string];
  return encodeCursor(listing, position);
}

function encodeCursor(listing: string, position: string): string {
  return Buffer.from(JSON.stringify([listing, position])).toString('base64url');
}

function decoded(listing: string, cursor: string): string | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [from, position] = Array.isArray(value) ? value : [];
    if (from !== listing || typeof position !== 'string') return undefined;
    // The decoder ignores invalid characters, so the comparison with the encoding refuses them.
    return encodeCursor(listing, position) === cursor ? position : undefined;
  } catch {
    return undefined;
  }
}
