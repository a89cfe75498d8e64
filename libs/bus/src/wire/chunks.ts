/** The most bytes of an answer in one message; a larger answer is sent in chunks of this size. */
export const CHUNK_BYTES = 64 * 1024;

/** A body in chunks that each fit one message. */
export async function* inChunks(body: Uint8Array | AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    yield* slices(body);
    return;
  }
  try {
    for (let part = await body.next(); !part.done; part = await body.next()) yield* slices(part.value);
  } finally {
    await body.return?.();
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}
