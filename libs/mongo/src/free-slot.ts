/**
 * A slot for one more document, which a unique index keeps apart from those that are there: at random, so that few of many concurrent
 * inserts try the same one.
 *
 * @param most how many there are.
 * @returns undefined when all are taken.
 */
export function freeSlot(
  there: readonly { readonly slot?: number | null }[],
  most: number,
): number | undefined {
  const taken = new Set(there.map(({ slot }) => slot));
  const free = Array.from({ length: most }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  return free[Math.floor(Math.random() * free.length)];
}
