import type { Collection, Document } from 'mongodb';

const AT_ONCE = 2_000;
const UNDER_WAY = 3;

/**
 * Stores many variations of a document that the platform wrote: the same fields in the same order, with some values varied.
 * It waits for neither majority nor journal, as the data need not survive a crash.
 *
 * @param vary the varied fields of the document with this number, from 0.
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

/** A document that the platform wrote. */
export async function storedOne(stored: Collection<Document>, filter: object): Promise<Document> {
  const found = await stored.findOne(filter as never);
  if (found === null)
    throw new Error(`The platform stores ${stored.collectionName} in another way than the bench knows.`);
  return found;
}
