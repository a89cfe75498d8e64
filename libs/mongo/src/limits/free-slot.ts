import type { ExactLimit } from '@action-platform/contracts/limits';

/**
 * A slot for one more document, which makes a limit exact: a unique index keeps it apart from those that are there. Slots are taken at
 * random, so that few of many concurrent inserts try the same one. Where the insert fails, its caller reads again.
 *
 * @param there the documents that count; a document without a slot, of an earlier version, counts too.
 * @returns undefined when all are taken.
 */
export function freeSlot(
  there: readonly { readonly slot?: number | null | undefined }[],
  most: ExactLimit,
): number | undefined {
  const taken = new Set(there.map(({ slot }) => slot));
  const slots = Array.from({ length: most }, (_, slot) => slot);
  // Each document without a slot takes the place of the last free one.
  const free = slots.filter((slot) => !taken.has(slot)).slice(0, Math.max(0, most - there.length));
  return free[Math.floor(Math.random() * free.length)];
}
