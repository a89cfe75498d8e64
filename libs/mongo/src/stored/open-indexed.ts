import { isDeepStrictEqual } from 'node:util';
import {
  type Collection,
  type CreateIndexesOptions,
  type Db,
  type Document,
  type IndexDescription,
  MongoServerError,
} from 'mongodb';
import { openStored, type StoredDocuments } from './stored-documents.ts';

/** Error code: an index of the same key exists under another name, or with other options. */
const INDEX_OPTIONS_CONFLICT = 85;
/**
 * The server answers when the indexes are built: with millions of documents after minutes. The driver's types lack this option of a command,
 * which replaces the timeout of the socket by none.
 */
const UNTIL_BUILT = { socketTimeoutMS: 0 } as CreateIndexesOptions;
/** Error codes: the collection, or the index, does not exist. */
const NOTHING_TO_DROP: readonly unknown[] = [26, 27];

/**
 * The collection of a declaration, with its indexes and without the former ones that it names. An index of the same key and options
 * serves under any name, as other versions may have named it otherwise.
 *
 * @throws MongoServerError when the collection has an index of the same key with other options, or of the same name with another key
 */
export async function openIndexed<Stored extends Document>(
  db: Db,
  declaration: StoredDocuments<Stored>,
): Promise<Collection<Stored>> {
  const documents = openStored(db, declaration);
  const indexes = [...(declaration.indexes ?? [])];
  try {
    if (indexes.length > 0) await documents.createIndexes(indexes, UNTIL_BUILT);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === INDEX_OPTIONS_CONFLICT)) throw error;
    const existing = (await documents.indexes()).map(keyAndOptions);
    const missing = indexes.filter(
      (index) => !existing.some((each) => isDeepStrictEqual(each, keyAndOptions(index))),
    );
    if (missing.length > 0) await documents.createIndexes(missing, UNTIL_BUILT);
  }
  for (const name of declaration.formerIndexes ?? []) await drop(documents, name);
  return documents;
}

async function drop<Stored extends Document>(documents: Collection<Stored>, name: string): Promise<void> {
  try {
    await documents.dropIndex(name);
  } catch (error) {
    if (!(error instanceof MongoServerError && NOTHING_TO_DROP.includes(error.code))) throw error;
  }
}

/** The fields of an index in order, and its options. The server adds the version of its format. */
function keyAndOptions({ name, v, version, key, ...options }: IndexDescription & { v?: number | undefined }) {
  return { fields: Object.entries(key), options };
}
