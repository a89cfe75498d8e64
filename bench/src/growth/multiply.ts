import type { Collection, Document } from 'mongodb';
import type { Side } from './pair.ts';

const AT_ONCE = 2_000;
const UNDER_WAY = 3;

/** The payload of filled-in Records. */
export const SMALL_PAYLOAD = { name: 'Demo Person.', city: 'London', visits: 3 };

/**
 * Stores many variations of a document that the platform wrote: the same fields in the same order, with some values varied.
 * `multiply` waits for neither majority nor journal, as the data need not survive a crash.
 *
 * @param filter finds the document.
 * @param vary the varied fields of the variation with this number, from 0.
 * @returns the document.
 */
export async function multiply(
  stored: Collection<Document>,
  filter: object,
  count: number,
  vary: (index: number) => Document,
): Promise<Document> {
  const template = await stored.findOne(filter as never);
  if (template === null) throw new Error(`The platform stores ${stored.collectionName} in another way.`);
  const { _id, ...fields } = template;
  let next = 0;
  const write = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + AT_ONCE);
      const documents = Array.from({ length: next - from }, (_, offset) => ({
        ...fields,
        ...vary(from + offset),
      }));
      await stored.insertMany(documents, { ordered: false, writeConcern: { w: 1, journal: false } });
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, write));
  return template;
}

/** Adds the filled-in bytes to the usage of a side's Workspace. */
export async function addStoredBytes({ stored, api }: Side, bytes: number): Promise<void> {
  await stored('record-store', 'usage').updateOne(
    { _id: api.workspace as never },
    { $inc: { stored_bytes: bytes } },
  );
}
