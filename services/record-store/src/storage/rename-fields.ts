import { type Collection, type Document, MongoServerError } from 'mongodb';

const INDEX_NOT_FOUND = 27;

/**
 * Brings documents of an earlier version up to date by giving fields their present names, once. The index that the
 * earlier version kept tells whether that is still to be done, and goes when it is. Safe to repeat and to do in
 * several replicas at once. Replicas of the earlier version must have stopped.
 *
 * @param fields present names by former ones.
 */
export async function renameFields<Stored extends Document>(
  collection: Collection<Stored>,
  { formerIndex, fields }: { formerIndex: string; fields: Readonly<Record<string, string>> },
): Promise<void> {
  if (!(await collection.indexExists(formerIndex))) return;
  const documents: Collection<Document> = collection.db.collection(collection.collectionName);
  const hasFormerName = Object.keys(fields).map((field) => ({ [field]: { $exists: true } }));
  await documents.updateMany({ $or: hasFormerName }, { $rename: fields });
  await documents.dropIndex(formerIndex).catch((error: unknown) => {
    const isDone = error instanceof MongoServerError && error.code === INDEX_NOT_FOUND;
    if (!isDone) throw error;
  });
}
