import type { Collection, Document } from 'mongodb';

const AT_ONCE = 2_000;
const UNDER_WAY = 3;

/**
 * Stores many variations of a document that the platform has stored itself: they have its fields in its order, but for
 * what must differ. Neither majority nor journal is waited for; nothing of it needs to survive a crash.
 *
 * @param vary what differs in the one with this number, from 0.
 */
export async function multiply(
  stored: Collection<Document>,
  count: number,
  template: Document,
  vary: (index: number) => Document,
): Promise<void> {
  let next = 0;
  const write = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + AT_ONCE);
      const documents = Array.from({ length: next - from }, (_, offset) => ({
        ...template,
        ...vary(from + offset),
      }));
      await stored.insertMany(documents, { ordered: false, writeConcern: { w: 1, journal: false } });
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, write));
}

/** A document that the platform has stored. */
export async function storedOne(stored: Collection<Document>, filter: object): Promise<Document> {
  const found = await stored.findOne(filter as never);
  if (found === null)
    throw new Error(`The platform stores ${stored.collectionName} in another way than the bench knows.`);
  return found;
}
