import { nextCursor } from '@action-platform/paging';

/** The cursor after this position of a listing, without reading all pages before it. */
export function cursorAfter(listing: string, position: string): string {
  const page = { items: [position], last: position, hasMore: true };
  return nextCursor(listing, page, (item) => item)!;
}
