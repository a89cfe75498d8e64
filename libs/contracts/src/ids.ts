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
  webhookEndpoint: 'whe',
} as const;

/** The parts of a UUIDv7: milliseconds since 1970, a sequence number of 32 bits, and 16 random bytes of which the last 6 count. */
export interface IdParts {
  readonly msecs: number;
  readonly seq: number;
  readonly random: Uint8Array;
}

/**
 * A new id such as `rec_019a…`: the prefix of its kind and a UUIDv7 (RFC 9562, section 5.7). The ids of one process sort
 * by creation, also within a millisecond (section 6.2). Callers must treat ids as opaque.
 *
 * @param parts the parts that determine the id; by default the time, a sequence number and random bytes of now.
 */
export function newId(kind: keyof typeof idPrefixes, parts?: IdParts): string {
  return `${idPrefixes[kind]}_${v7(parts).replaceAll('-', '')}`;
}

/** A new id for a request. Those of one process sort by time, as ids do. */
export function newRequestId(): string {
  return `req_${v7().replaceAll('-', '')}`;
}

/** Whether a text has the form of the ids of a kind. Such a thing need not exist. */
export function isIdOf(kind: keyof typeof idPrefixes, text: string): boolean {
  return (
    text.startsWith(`${idPrefixes[kind]}_`) && /^[0-9a-f]{32}$/.test(text.slice(idPrefixes[kind].length + 1))
  );
}
