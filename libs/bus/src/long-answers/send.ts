import { busHeaders } from '@action-platform/contracts';
import { type Answers, FAILED } from '../batches/answers.ts';
import { type Connection, inboxAt, type Receiver } from '../connection.ts';
import { type Headers, toMessageHeaders } from '../headers.ts';
import type { Incoming } from '../incoming.ts';
import { Queue } from '../queue.ts';
import { CHUNK_BYTES, CHUNK_TIMEOUT_MS } from './protocol.ts';

/**
 * Sends a long answer: chunk 0 to `replyTo` with `headers`, each further one to the subject of a credit.
 *
 * Resolves when the last chunk is sent, the receiver cancels or falls silent, or the connection breaks. Rejects with the error
 * of `chunks`, or that of a chunk that cannot be published, after reporting the failure to the receiver. `chunks` is returned
 * in every case.
 */
export async function sendChunks(
  connection: Connection,
  answers: Answers,
  replyTo: string,
  headers: Headers,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  const credits = new Credits(replyTo);
  const creditSubject = connection.open(credits);
  let openCredit: string | undefined;
  try {
    let chunk = await chunks.next();
    for (let position = 0; ; position++) {
      const following = chunk.done ? chunk : await chunks.next();
      const body = chunk.done ? new Uint8Array() : chunk.value;
      const chunkHeaders = {
        [busHeaders.chunk]: String(position),
        ...(following.done ? {} : { [busHeaders.more]: 'true' }),
      };
      if (openCredit === undefined) {
        const answer = { headers: { ...headers, ...chunkHeaders }, body };
        answers.send(replyTo, answer, following.done ? undefined : creditSubject);
      } else {
        connection.publish(openCredit, body, {
          headers: toMessageHeaders(chunkHeaders),
          ...(following.done ? {} : { reply: `${creditSubject}.${position}` }),
        });
      }
      if (following.done) return;
      const credit = await credits.next();
      if (credit === undefined) return;
      openCredit = credit;
      chunk = following;
    }
  } catch (error) {
    if (openCredit === undefined) answers.send(replyTo, FAILED);
    else connection.publish(openCredit);
    throw error;
  } finally {
    connection.close(creditSubject);
    await chunks.return?.();
  }
}

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

/** The credits of a receiver that were not used yet: the subjects to send the next chunks to. */
class Credits implements Receiver {
  readonly #queue = new Queue<string>();
  /** The inbox of the connection that sent the request; chunks go nowhere else. */
  readonly #receiverInbox: string;

  constructor(replyTo: string) {
    this.#receiverInbox = inboxAt(replyTo);
  }

  receive(message: Incoming): void {
    if (message.reply?.startsWith(this.#receiverInbox)) this.#queue.add(message.reply);
    else this.lost(); // A cancel, or a message that no receiver sends.
  }

  lost(): void {
    this.#queue.clear();
    this.#queue.close();
  }

  /** The subject to send the next chunk to; undefined when no credit is left. */
  next(): Promise<string | undefined> {
    return this.#queue.next(CHUNK_TIMEOUT_MS);
  }
}
