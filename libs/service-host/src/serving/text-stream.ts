/** How many bytes a stream counts for by default: its items come from the database in batches. */
const STREAM_BYTES = 512 * 1024;

/** A result that is answered as text as it is made: instead of JSON, or the JSON of an operation's result. */
export class TextStream {
  readonly chunks: AsyncIterable<string>;
  readonly bytes: number;

  /** @param bytes that it keeps in memory. */
  constructor(chunks: AsyncIterable<string>, bytes = STREAM_BYTES) {
    this.chunks = chunks;
    this.bytes = bytes;
  }
}
