/** The items that were read for a page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The last item that the page read; the next page starts after it. */
  readonly last: Item | undefined;
  /** Whether the listing goes on after `last`. */
  readonly hasMore: boolean;
}

/** The limits of a page. */
export interface PageLimits<Item> {
  limit: number;
  /** The page ends before the item with which it would exceed these bytes, but has at least one item. */
  maxBytes: number;
  /** The bytes of an item; those of its JSON by default. */
  bytesOf?: (item: Item) => number;
  /** Whether an item belongs to the listing, for filters that the query cannot apply; all by default. */
  isWanted?: (item: Item) => boolean;
  /** The most items that a page reads, wanted or not. */
  maxRead?: number;
}

/** Reads one page from the beginning of `items`, and closes them. */
export async function readPage<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  {
    limit,
    maxBytes,
    bytesOf = (item) => Buffer.byteLength(JSON.stringify(item)),
    isWanted = () => true,
    maxRead = Number.POSITIVE_INFINITY,
  }: PageLimits<Item>,
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
