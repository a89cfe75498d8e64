import { busHeaders } from '@action-platform/contracts/bus';
import type { Connection, Receiver } from '../nats/connection.ts';
import { toMessageHeaders } from '../nats/headers.ts';
import type { Headers } from '../wire/headers.ts';
import type { Incoming } from '../wire/incoming.ts';
import { numbered, type ReplyTo, replyToBeside } from '../wire/reply-to.ts';
import { FAILED, type WholeAnswer } from '../wire/whole-answer.ts';
import { CHUNK_TIMEOUT_MS } from './protocol.ts';
import { Queue } from './queue.ts';

/** Sends chunk 0, or its failure. @param credits the subject that takes credits for further chunks */
type SendFirst = (chunk: WholeAnswer, credits?: ReplyTo) => void;

/**
 * Sends a long answer: chunk 0 with `headers`, each further one to the subject of a credit.
 *
 * Resolves when the last chunk is sent, the receiver cancels or falls silent, or the connection breaks. Rejects with the error
 * of `chunks`, or that of a chunk that cannot be published, after reporting the failure to the receiver. `chunks` is returned
 * in every case.
 *
 * @param replyTo the reply subject of the request.
 */
export async function sendChunks(
  connection: Connection,
  replyTo: ReplyTo,
  sendFirst: SendFirst,
  headers: Headers,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  const credits = new Credits(replyTo);
  const creditSubject = connection.open(credits);
  let openCredit: ReplyTo | undefined;
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
        const first = { headers: { ...headers, ...chunkHeaders }, body };
        sendFirst(first, following.done ? undefined : creditSubject);
      } else {
        connection.publish(openCredit, body, {
          headers: toMessageHeaders(chunkHeaders),
          reply: following.done ? undefined : numbered(creditSubject, position),
        });
      }
      if (following.done) return;
      const credit = await credits.next();
      if (credit === undefined) return;
      openCredit = credit;
      chunk = following;
    }
  } catch (error) {
    if (openCredit === undefined) sendFirst(FAILED);
    else connection.publish(openCredit);
    throw error;
  } finally {
    connection.close(creditSubject);
    await chunks.return?.();
  }
}

/** The credits of a receiver that were not used yet: the subjects to send the next chunks to. */
class Credits implements Receiver {
  readonly #queue = new Queue<ReplyTo>();
  /** Chunks go only to the inbox of the connection that sent the request. */
  readonly #replyTo: ReplyTo;

  constructor(replyTo: ReplyTo) {
    this.#replyTo = replyTo;
  }

  receive(message: Incoming): void {
    const credit = replyToBeside(this.#replyTo, message.reply);
    if (credit !== undefined) this.#queue.add(credit);
    else this.lost(); // A cancel, or a message that no receiver sends.
  }

  lost(): void {
    this.#queue.clear();
    this.#queue.close();
  }

  /** The subject to send the next chunk to; undefined when no credit is left. */
  next(): Promise<ReplyTo | undefined> {
    return this.#queue.next(CHUNK_TIMEOUT_MS);
  }
}
