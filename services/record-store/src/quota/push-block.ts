import { randomUUID } from 'node:crypto';
import { newId } from '@action-platform/contracts/ids';
import type { ReservedBlock } from './stored-usage.ts';

/** The most record ids in a block. Recovery reads and voids them all. */
const IDS = 1000;
/** The longest time of a block, in milliseconds. */
export const LONGEST_BLOCK_MS = 500;
/** The low bits of an id's sequence number that count the pushes of a millisecond; the other bits are random. */
const COUNTING_BITS = 0xff;

/**
 * A block of room and record ids for the pushes that follow. The id of a push has the time of the push, as all record ids,
 * so that Records of several replicas sort by creation; its other bits leave few possibilities, which recovery enumerates.
 *
 * @param pushes the number of pushes that were pending together just now. The block has twice as many ids in a millisecond.
 */
export function newBlock(bytes: number, pushes: number): ReservedBlock {
  const from = Date.now();
  const each = 2 * pushes;
  const until = from + Math.min(LONGEST_BLOCK_MS, Math.floor(IDS / each));
  return { kind: 'pushes', write_id: randomUUID(), bytes, from, until, each };
}

/** Every record id that a push in this block can have. */
export function* recordIdsOf({ write_id, from, until, each }: ReservedBlock): Generator<string> {
  if (each > COUNTING_BITS + 1) throw new RangeError(`${each} ids of a millisecond would not differ`);
  const idOf = idsOf(write_id);
  for (let msecs = from; msecs < until; msecs++) for (let n = 0; n < each; n++) yield idOf(msecs, n);
}

function idsOf(writeId: string): (msecs: number, n: number) => string {
  const random = Buffer.from(writeId.replaceAll('-', ''), 'hex');
  const first = random.readUInt32BE() & ~COUNTING_BITS;
  return (msecs, n) => newId('record', { msecs, seq: first | n, random });
}

/** A block that this replica has reserved, and the pushes in it. */
export class OpenBlock {
  readonly reserved: ReservedBlock;
  readonly #idOf: (msecs: number, n: number) => string;
  #freeBytes: number;
  #storedBytes = 0;
  #inFlight = 0;
  #hasEnded = false;
  /** The millisecond of the last id, and the number of ids in it. */
  #msecs = 0;
  #count = 0;

  constructor(reserved: ReservedBlock) {
    this.reserved = reserved;
    this.#freeBytes = reserved.bytes;
    this.#idOf = idsOf(reserved.write_id);
  }

  /** Takes room and the record id of a push of this size; undefined when the block has no more room or id for it now. */
  take(bytes: number): string | undefined {
    const { from, until, each } = this.reserved;
    const now = Date.now();
    if (this.#hasEnded || bytes > this.#freeBytes) return undefined;
    // An id after the last one, also when the clock has been set back.
    if (now < Math.max(from, this.#msecs) || now >= until) return undefined;
    if (now > this.#msecs) [this.#msecs, this.#count] = [now, 0];
    if (this.#count === each) return undefined;
    this.#freeBytes -= bytes;
    this.#inFlight++;
    return this.#idOf(now, this.#count++);
  }

  /** Records whether a push was made. A push with an unknown outcome stays in flight, so that only recovery decides its block. */
  settle(bytes: number, isMade: boolean): void {
    this.#inFlight--;
    if (isMade) this.#storedBytes += bytes;
  }

  /** Gives no further push room. */
  end(): void {
    this.#hasEnded = true;
  }

  /** The bytes that the block releases; undefined as long as a push may still be made. */
  get releasedBytes(): number | undefined {
    return this.#hasEnded && this.#inFlight === 0 ? this.reserved.bytes - this.#storedBytes : undefined;
  }
}
