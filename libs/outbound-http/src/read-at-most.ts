/** A server outside has sent more than it may. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/**
 * Reads a body that a server outside sends. It is copied as it arrives, because a body in tiny pieces would take a multiple of its
 * size.
 *
 * @param hold takes memory for so many more bytes; there is none when it returns false.
 * @throws AnswerTooLarge beyond this many bytes, or without memory; the body is not read on then.
 */
export async function readAtMost(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
  hold: (bytes: number) => boolean = () => true,
): Promise<Buffer> {
  let read = Buffer.alloc(0);
  let length = 0;
  for await (const piece of body) {
    const end = length + piece.length;
    if (end > maxBytes) throw new AnswerTooLarge(`The answer has more than ${maxBytes} bytes.`);
    if (end > read.length) {
      const size = Math.min(maxBytes, 2 * end);
      if (!hold(size - read.length)) throw new AnswerTooLarge('There is no memory for the answer now.');
      read = Buffer.concat([read], size);
    }
    read.set(piece, length);
    length = end;
  }
  return read.subarray(0, length);
}
