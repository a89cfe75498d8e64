import { randomUUID } from 'node:crypto';
import { recordIdsOf } from './push-block.ts';
import type { ReservedBlock } from './stored-usage.ts';

/** The block of the pushes of one call: their bytes and their record ids, in their order. */
export class CallBlock {
  readonly reserved: ReservedBlock;
  readonly recordIds: readonly string[];
  readonly #bytes: readonly number[];

  /**
   * @param bytes of each push.
   * @param largestChange the bytes of the largest change: a block leaves room for it, and so makes no writer wait.
   */
  constructor(bytes: readonly number[], largestChange: number) {
    const from = Date.now();
    const sum = bytes.reduce((total, each) => total + each, 0);
    this.#bytes = bytes;
    this.reserved = {
      kind: 'pushes',
      write_id: randomUUID(),
      bytes: Math.max(sum, largestChange),
      from,
      until: from + 1,
      each: bytes.length,
    };
    this.recordIds = [...recordIdsOf(this.reserved)];
  }

  /** The bytes that the block releases when these of its pushes were made. */
  releasedBytes(wereInserted: readonly boolean[]): number {
    const stored = this.#bytes.reduce((total, each, index) => total + (wereInserted[index] ? each : 0), 0);
    return this.reserved.bytes - stored;
  }
}
