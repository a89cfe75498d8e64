/** A result that is answered as text instead of JSON, as it is made. */
export class TextStream {
  readonly chunks: AsyncIterable<string>;

  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks;
  }
}
