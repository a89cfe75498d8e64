import { nextCursor } from '@action-platform/paging';

/** The cursor that follows this position of a listing: to be given it, somebody would have to turn all pages before. */
export function cursorAfter(listing: string, position: string): string {
  const page = { items: [position], last: position, hasMore: true };
  return nextCursor(listing, page, (item) => item)!;
}
