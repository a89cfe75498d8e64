import { idPrefixes } from '../ids/ids.ts';

/** The fields of an input that take Collections: each by its id, or by its name. */
export const collectionFields = ['collection_id', 'collection_ids'] as const;

/** The values of an input in the fields that take Collections. */
type Collections = Partial<Record<(typeof collectionFields)[number], string | readonly string[]>>;

/** How no name of a Collection begins: a text that does is an id, whatever it names. */
export const COLLECTION_ID_START = `${idPrefixes.collection}_`;

/** Whether a text that stands for a Collection is its name, and not its id. */
export function isCollectionName(text: string): boolean {
  return !text.startsWith(COLLECTION_ID_START);
}

/** The names of Collections in an input that has ids or names of them; undefined when it has ids alone. */
export function collectionNamesIn(input: object): readonly string[] | undefined {
  const { collection_id: one, collection_ids: several = [] } = input as Collections;
  if (typeof one === 'string') return isCollectionName(one) ? [one] : undefined;
  const names = [several].flat().filter(isCollectionName);
  return names.length > 0 ? names : undefined;
}

/** The fields of an input that take Collections, with ids in the place of names. A name without an id stays. */
export function withCollectionIds(input: object, idOf: ReadonlyMap<string, string>): Collections {
  const changed = collectionFields.flatMap((field) => {
    const value = (input as Collections)[field];
    const id = (named: string) => idOf.get(named) ?? named;
    return value === undefined ? [] : [[field, typeof value === 'string' ? id(value) : value.map(id)]];
  });
  return Object.fromEntries(changed);
}
