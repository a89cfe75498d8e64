/** A server outside has sent more than it may. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** This process has no memory for the answer of a server outside now. */
export class NoMemoryForAnswer extends Error {
  override readonly name = 'NoMemoryForAnswer';
}

/** Pieces of fewer bytes are copied together, because a body in tiny pieces would take a multiple of its size. */
const BLOCK_BYTES = 4 * 1024;

/** Sees a piece of a body; true when no more of it is needed. */
export type EndOfBody = (piece: Uint8Array) => Promise<boolean>;

/**
 * Reads a body that a server outside sends. Large pieces are kept as they came until the body has ended: V8 collects all garbage after
 * some 32 MB of new buffers, which would delay other calls where an endpoint sends too much again and again.
 *
 * @param hold takes memory for so many more bytes; false when no memory is free.
 * @param hasEnded sees each piece; after true the rest is not read.
 * @throws AnswerTooLarge beyond this many bytes, NoMemoryForAnswer; the body is not read on then.
 */
export async function readAtMost(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
  hold: (bytes: number) => boolean = () => true,
  hasEnded?: EndOfBody,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let block = new Uint8Array();
  /** How much of the block, the last of the pieces, is filled. */
  let filled = 0;
  const take = (bytes: number) => {
    if (!hold(bytes)) throw new NoMemoryForAnswer();
  };
  for await (const piece of body) {
    length += piece.length;
    if (length > maxBytes) throw new AnswerTooLarge(`The answer has more than ${maxBytes} bytes.`);
    keep(piece);
    if (hasEnded !== undefined && (await hasEnded(piece))) break;
  }
  endBlock();
  return Buffer.concat(pieces, length);

  function keep(piece: Uint8Array) {
    if (piece.length >= BLOCK_BYTES) {
      take(piece.length);
      endBlock();
      pieces.push(piece);
      return;
    }
    if (filled + piece.length > block.length) {
      take(BLOCK_BYTES);
      endBlock();
      block = new Uint8Array(BLOCK_BYTES);
    }
    block.set(piece, filled);
    filled += piece.length;
  }

  function endBlock() {
    if (filled > 0) pieces.push(block.subarray(0, filled));
    block = new Uint8Array();
    filled = 0;
  }
}
