import { Batcher } from '@action-platform/mongo';

const MAX_KEYS = 500;

/**
 * A look-up by unique key whose concurrent uses go to the database together. An answer never comes from
 * a read that began before it was asked for, and none is kept.
 *
 * @param name what the batch-size metric calls it.
 * @param keyOf the text of a key, equal for equal keys.
 * @param find finds the documents of distinct keys, in any order.
 */
export function lookUpTogether<Key, Found>(
  name: string,
  keyOf: { asked: (key: Key) => string; found: (document: Found) => string },
  find: (keys: Key[]) => Promise<Found[]>,
): (key: Key) => Promise<Found | undefined> {
  const batcher = new Batcher<Key, Found | undefined>(name, { maxItems: MAX_KEYS }, async (keys) => {
    const distinct = new Map(keys.map((key) => [keyOf.asked(key), key]));
    const documents = await find([...distinct.values()]);
    const byKey = new Map(documents.map((document) => [keyOf.found(document), document]));
    return keys.map((key) => ({ value: byKey.get(keyOf.asked(key)) }));
  });
  return (key) => batcher.submit(key);
}
