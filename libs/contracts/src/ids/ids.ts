import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The kinds of things with an id, each with the prefix of its ids. */
export const idPrefixes = {
  workspace: 'ws',
  connection: 'con',
  mailAccount: 'mac',
  mailAuthorization: 'aut',
  operationGrant: 'ogr',
  routineGrant: 'rgr',
  agentGrant: 'agr',
  collection: 'col',
  record: 'rec',
  procedure: 'prc',
  sender: 'snd',
  draft: 'drf',
  file: 'fil',
  attempt: 'att',
  webhookEndpoint: 'whe',
  approval: 'apv',
  customOperation: 'cop',
  connector: 'cnr',
} as const;

/** An id of a kind, for examples. */
export function exampleId(kind: keyof typeof idPrefixes): string {
  return `${idPrefixes[kind]}_0198f2d0c4b17a3e9d51c2aa40e7b6f3`;
}

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
export function newId(kind: keyof typeof idPrefixes, parts: IdParts = nextParts()): string {
  return `${idPrefixes[kind]}_${uuidOf(parts)}`;
}

/** A new id for a request. Request ids of one process sort by time, as ids do. */
export function newRequestId(): string {
  return `req_${uuidOf(nextParts())}`;
}

function uuidOf(parts: IdParts): string {
  return v7(parts).replaceAll('-', '');
}

/** Random bytes for 128 ids, because each call of the generator takes longer than the rest of an id. */
const randomBytes = new Uint8Array(128 * 16);
let usedBytes = randomBytes.length;
const last = { msecs: 0, seq: 0 };

/** The parts of the next id: the sequence number begins at random in each millisecond, and counts within it (section 6.2, method 1). */
function nextParts(): IdParts {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  const random = randomBytes.subarray(usedBytes, usedBytes + 16);
  usedBytes += random.length;
  const now = Date.now();
  if (now > last.msecs) {
    last.msecs = now;
    // The highest bit stays free, so that the number does not overflow within the millisecond.
    last.seq = (random[0]! << 23) | (random[1]! << 15) | (random[2]! << 7) | (random[3]! >> 1);
  } else {
    last.seq++;
  }
  return { ...last, random };
}

/** Whether a text has the form of the ids of a kind. Such a thing need not exist. */
export function isIdOf(kind: keyof typeof idPrefixes, text: string): boolean {
  return (
    text.startsWith(`${idPrefixes[kind]}_`) && /^[0-9a-f]{32}$/.test(text.slice(idPrefixes[kind].length + 1))
  );
}
