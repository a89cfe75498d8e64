import type { Timed } from '@action-platform/contracts';
import { Batcher } from './batcher.ts';

const MAX_KEYS = 500;

/** How a look-up tells keys apart: the text of a key that is asked for, and of the key of a document that was found. */
export interface LookupKeys<Key, Found> {
  asked(key: Key): string;
  found(document: Found): string;
}

/**
 * A look-up by unique key whose concurrent uses go to the database together. An answer never comes from a read that
 * began before it was asked for, and none is kept.
 *
 * @param name what spans and metrics call it.
 * @param find finds the documents of distinct keys, in any order, for as long as the look-up that waits longest.
 * @returns the look-up; it rejects as `Batcher.submit` does when nobody waits for it any more.
 */
export function batchedLookup<Key, Found>(
  name: string,
  keys: LookupKeys<Key, Found>,
  find: (keys: Key[], timed: Timed) => Promise<Found[]>,
  { maxKeys = MAX_KEYS } = {},
): (key: Key, timed: Timed) => Promise<Found | undefined> {
  const batcher = new Batcher<Key, Found | undefined>(name, { maxItems: maxKeys }, async (asked, timed) => {
    const distinct = new Map(asked.map((key) => [keys.asked(key), key]));
    const documents = await find([...distinct.values()], timed);
    const byKey = new Map(documents.map((document) => [keys.found(document), document]));
    return asked.map((key) => ({ value: byKey.get(keys.asked(key)) }));
  });
  return (key, timed) => batcher.submit(key, timed);
}
