import { contentOf, isStream } from './content.ts';
import { isHighSurrogate } from './scanner/characters.ts';
import { jsonText, stringifyJson } from './stringify.ts';

/** How much text to yield at once. */
export interface JsonChunksOptions {
  /**
   * Length of a chunk in UTF-16 code units, at least 1: about its bytes when most of the text is ASCII, and at most
   * three times as many. The last chunk is shorter, and a chunk may be longer by one so as not to split a character.
   */
  chunkBytes: number;
}

/**
 * Writes what {@link stringifyJson} writes, in chunks. An async iterable in the value is written as an array: it yields
 * the items in batches, which are read as the chunks are asked for. The writer holds two chunks and a batch, however long
 * the array is. A batch costs one tick of the event loop, where a tick for each small item would cost several times what
 * writing it does.
 *
 * The iterable being read is closed (its `return` is called) when the reader stops early or a batch fails. Iterables
 * further on are never started.
 *
 * @throws RangeError when `chunkBytes` is not a positive integer; TypeError as stringifyJson does; whatever an iterable
 *   throws.
 */
export async function* jsonChunks(
  value: unknown,
  { chunkBytes }: JsonChunksOptions,
): AsyncGenerator<string, void, undefined> {
  if (!Number.isInteger(chunkBytes) || chunkBytes < 1) {
    throw new RangeError('chunkBytes must be a positive integer');
  }
  let pending = '';
  const written = contentOf(value) === 'stream' ? pieces('', value, chunkBytes) : [stringifyJson(value)];
  for await (const piece of written) {
    pending += piece;
    while (pending.length >= chunkBytes) {
      const end = isHighSurrogate(pending.charCodeAt(chunkBytes - 1)) ? chunkBytes + 1 : chunkBytes;
      yield pending.slice(0, end);
      pending = pending.slice(end);
    }
  }
  if (pending !== '') yield pending;
}

/**
 * Gives the text of a value behind a prefix, in one piece wherever it holds no stream. Batches without a stream are
 * joined into pieces of at least `pieceLength`: a piece passes a generator for each level of the value.
 *
 * @returns whether there was anything to write; objects leave out members without a JSON form
 */
async function* pieces(
  prefix: string,
  value: unknown,
  pieceLength: number,
): AsyncGenerator<string, boolean, undefined> {
  if (contentOf(value) !== 'stream') {
    const text = jsonText(value);
    if (text !== undefined) yield prefix + text;
    return text !== undefined;
  }
  const container = value as object;
  if (isStream(container)) yield* arrayPieces(prefix, container, pieceLength);
  else if (Array.isArray(container)) yield* arrayPieces(prefix, [container], pieceLength);
  else yield* objectPieces(prefix, container, pieceLength);
  return true;
}

async function* arrayPieces(
  prefix: string,
  batches: AsyncIterable<readonly unknown[]> | (readonly unknown[])[],
  pieceLength: number,
): AsyncGenerator<string> {
  let text = `${prefix}[`;
  let before = '';
  for await (const items of batches) {
    const parts = contentOf(items) === 'stream' ? items.map((item) => [item]) : [items];
    for (const part of parts) {
      if (part.length === 0) continue;
      text += before;
      before = ',';
      if (contentOf(part) === 'stream') {
        yield* pieces(text, part[0], pieceLength);
        text = '';
      } else text += jsonText(part)!.slice(1, -1);
      if (text.length < pieceLength) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}

async function* objectPieces(prefix: string, value: object, pieceLength: number): AsyncGenerator<string> {
  let before = `${prefix}{`;
  for (const [name, member] of Object.entries(value)) {
    if (yield* pieces(`${before}${JSON.stringify(name)}:`, member, pieceLength)) before = ',';
  }
  yield '}';
}

/** How far down a result of an operation is looked through: `{ result: { revisions: … } }` takes two. */
const LEVELS_TO_STREAM = 3;

/**
 * Whether a value has to be written by {@link jsonChunks}: it is an async iterable, or an object with one at most three
 * levels down. Arrays are not looked into, so that the answer costs little however long a result is.
 */
export function hasStream(value: unknown): boolean {
  return hasStreamWithin(value, LEVELS_TO_STREAM);
}

function hasStreamWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (isStream(value)) return true;
  return levels > 0 && Object.values(value).some((member) => hasStreamWithin(member, levels - 1));
}
