/** Some items of a listing. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The last item that the page looked at; the next page starts after it. */
  readonly last: Item | undefined;
  /** Whether the listing goes on after `last`. */
  readonly hasMore: boolean;
}

/** How large a page may get. */
export interface PageLimits<Item> {
  limit: number;
  /** The page ends before the item with which it would exceed these bytes, but has one item at least. */
  maxBytes: number;
  bytesOf: (item: Item) => number;
  /** Which items belong to the listing, when that cannot be told before they are read; all, when left out. */
  isWanted?: (item: Item) => boolean;
  /** How many items a page looks at, however few of them are wanted. */
  maxRead?: number;
}

/** Reads one page from the items that start where it starts, and lets go of the rest. */
export async function readPage<Item>(
  items: AsyncIterable<Item>,
  { limit, maxBytes, bytesOf, isWanted = () => true, maxRead = Number.POSITIVE_INFINITY }: PageLimits<Item>,
): Promise<Page<Item>> {
  const page: Item[] = [];
  let last: Item | undefined;
  let bytes = 0;
  let read = 0;
  for await (const item of items) {
    if (read === maxRead) return { items: page, last, hasMore: true };
    if (isWanted(item)) {
      bytes += bytesOf(item);
      const isFull = page.length === limit || (page.length > 0 && bytes > maxBytes);
      if (isFull) return { items: page, last, hasMore: true };
      page.push(item);
    }
    last = item;
    read++;
  }
  return { items: page, last, hasMore: false };
}
