import type { Timed } from '@action-platform/contracts/calls';
import { Batcher } from './batcher.ts';

const MAX_KEYS = 500;

/** The text that identifies a key: that of a look-up, and that of a document. */
export interface LookupKeys<Key, Found> {
  asked(key: Key): string;
  found(document: Found): string;
}

/**
 * A look-up by unique key. Concurrent look-ups share queries. An answer never comes from a query that began before the
 * look-up, and no answer is cached.
 *
 * @param name of the look-up in spans and metrics.
 * @param find finds the documents of distinct keys, in any order, until the latest deadline of the look-ups.
 * @returns the look-up; at its deadline the look-up rejects as `Batcher.submit` does.
 */
export function batchedLookup<Key, Found>(
  name: string,
  keys: LookupKeys<Key, Found>,
  find: (keys: Key[], timed: Timed) => Promise<Found[]>,
  { maxKeys = MAX_KEYS } = {},
): (key: Key, timed: Timed) => Promise<Found | undefined> {
  const batcher = new Batcher<Key, Found | undefined>(
    name,
    { maxItems: maxKeys, effect: 'read' },
    async (asked, timed) => {
      const distinct = new Map(asked.map((key) => [keys.asked(key), key]));
      const documents = await find([...distinct.values()], timed);
      const byKey = new Map(documents.map((document) => [keys.found(document), document]));
      return asked.map((key) => ({ value: byKey.get(keys.asked(key)) }));
    },
  );
  return (key, timed) => batcher.submit(key, timed);
}
