import type { AuditEntry } from '@action-platform/contracts/audit';
import type { ReadBlock } from '../blocks/stored-block.ts';

/** The position of an entry in the order of a Workspace: by time, then as stored. */
export interface EntryPosition {
  /** In milliseconds. */
  readonly at: number;
  /** The number of its block, and its index there. */
  readonly block: number;
  readonly index: number;
}

/** An entry that was found. */
export interface Found extends EntryPosition {
  readonly entry: AuditEntry;
}

/** Compares positions; the earlier one is less. */
export function comparePositions(a: EntryPosition, b: EntryPosition): number {
  return a.at - b.at || a.block - b.block || a.index - b.index;
}

/**
 * The entries of blocks, newest first. Blocks overlap in time, so `newestFirst` holds the entries of a block until no other can have a
 * newer one.
 *
 * @param blocks by their newest entry, newest first.
 */
export async function* newestFirst(
  blocks: AsyncIterable<ReadBlock>,
  isWanted: (found: Found) => boolean,
): AsyncGenerator<Found> {
  const held: Found[] = [];
  for await (const block of blocks) {
    while (held.length > 0 && held.at(-1)!.at > block.to) yield held.pop()!;
    held.push(...foundIn(block).filter(isWanted));
    held.sort(comparePositions);
  }
  while (held.length > 0) yield held.pop()!;
}

function foundIn({ number, entries }: ReadBlock): Found[] {
  return entries.map((entry, index) => ({ at: Date.parse(entry.at), block: number, index, entry }));
}
