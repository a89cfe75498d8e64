import { v7 } from 'uuid';

/** The kinds of things with an id, each with the prefix of its ids. */
export const idPrefixes = {
  workspace: 'ws',
  connection: 'con',
  mailAccount: 'mac',
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
 * A new id such as `rec_019a…`: the prefix of its kind and a UUIDv7 (RFC 9562, section 5.7). The ids of one process sort
 * by creation, also within a millisecond (section 6.2). Callers must treat ids as opaque.
 */
export function newId(kind: keyof typeof idPrefixes): string {
  return `${idPrefixes[kind]}_${v7().replaceAll('-', '')}`;
}

/** Whether a text has the form of the ids of a kind. Such a thing need not exist. */
export function isIdOf(kind: keyof typeof idPrefixes, text: string): boolean {
  return (
    text.startsWith(`${idPrefixes[kind]}_`) && /^[0-9a-f]{32}$/.test(text.slice(idPrefixes[kind].length + 1))
  );
}
