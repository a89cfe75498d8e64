import { v7 } from 'uuid';

/** The kinds of things with an id, each with the prefix its ids carry. */
export const idPrefixes = {
  workspace: 'ws',
  connection: 'con',
  operationGrant: 'ogr',
  routineGrant: 'rgr',
  collection: 'col',
  record: 'rec',
  procedure: 'prc',
  sender: 'snd',
  draft: 'drf',
  file: 'fil',
  attempt: 'att',
} as const;

/**
 * A new id such as `rec_019a…`: the prefix of its kind and a UUIDv7 (RFC 9562, section 5.7). Those that one process
 * makes sort by when they were made, also within a millisecond (section 6.2). Callers must treat ids as opaque.
 */
export function newId(kind: keyof typeof idPrefixes): string {
  return `${idPrefixes[kind]}_${v7().replaceAll('-', '')}`;
}

/** Whether a text is written as `newId` writes the ids of a kind; not whether there is such a thing. */
export function isIdOf(kind: keyof typeof idPrefixes, text: string): boolean {
  return (
    text.startsWith(`${idPrefixes[kind]}_`) && /^[0-9a-f]{32}$/.test(text.slice(idPrefixes[kind].length + 1))
  );
}
