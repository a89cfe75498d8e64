import { encodeCursor } from '@action-platform/mongo';

/** Some items of a listing. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether the listing goes on after the last item. */
  readonly hasMore: boolean;
}

/** How large a page may get. */
export interface PageLimits<Item> {
  limit: number;
  /** The page ends before the item with which it would exceed these bytes, but has one item at least. */
  maxBytes: number;
  bytesOf: (item: Item) => number;
}

/** Reads one page from the items that start where it starts, and lets go of the rest. */
export async function readPage<Item>(
  items: AsyncIterable<Item>,
  { limit, maxBytes, bytesOf }: PageLimits<Item>,
): Promise<Page<Item>> {
  const page: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    bytes += bytesOf(item);
    if (page.length === limit || (page.length > 0 && bytes > maxBytes)) return { items: page, hasMore: true };
    page.push(item);
  }
  return { items: page, hasMore: false };
}

/** The `next_cursor` after a page of a listing; null after the last page. */
export function cursorAfter<Item>(
  listing: string,
  { items, hasMore }: Page<Item>,
  positionOf: (item: Item) => string,
): string | null {
  return hasMore ? encodeCursor(listing, positionOf(items.at(-1)!)) : null;
}
