import type { Dependencies } from '../dependencies.ts';

/** The most rows that a page reads; a status that few have takes several pages. */
const READ_MAX = 1000;

interface Query {
  readonly status?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * A page of rows that are read together, in the order of a listing. Their status is derived, so the filter applies after the read.
 *
 * @param listing the listing that the cursor belongs to.
 * @param read the next rows, as described to the caller, after the one with this id; fewer than `together` at the end.
 */
export async function pageByStatus<Row extends { readonly id: string; readonly status: string }>(
  { limits, cursors }: Pick<Dependencies, 'limits' | 'cursors'>,
  listing: string,
  { status, limit, cursor }: Query,
  together: number,
  read: (after: string | undefined) => Promise<readonly Row[]>,
): Promise<{ readonly items: Row[]; readonly nextCursor: string | null }> {
  const { items, next } = await cursors.page(listing, cursor, {
    read: rows,
    positionOf: ({ id }) => id,
    limit,
    maxBytes: limits.PAGE_MAX_BYTES,
    isWanted: (row) => status === undefined || row.status === status,
    maxRead: READ_MAX,
  });
  return { items: [...items], nextCursor: next };

  async function* rows(from: string | undefined) {
    for (let after = from; ; ) {
      const found = await read(after);
      yield* found;
      if (found.length < together) return;
      after = found.at(-1)!.id;
    }
  }
}
