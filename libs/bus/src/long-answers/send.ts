import { busHeaders } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Headers, toMessageHeaders } from '../headers.ts';
import { type Inbox, inboxAt, type Receiver } from '../inbox.ts';
import type { Incoming } from '../incoming.ts';
import type { Answers } from '../packs/answers.ts';
import { Queue } from '../queue.ts';
import { CHUNK_BYTES, CHUNK_TIMEOUT_MS, publishFailure } from './protocol.ts';

/**
 * Sends a long answer: chunk 0 to `replyTo` with `headers`, each further one to the subject of a demand.
 *
 * Resolves when the last chunk is sent, the receiver cancels, falls silent, or the connection breaks. Rejects
 * with the error of `chunks`, or that of a chunk that cannot be published, after telling the receiver that no
 * more will come. `chunks` is returned in every case.
 */
export async function sendChunks(
  nc: NatsConnection,
  inbox: Inbox,
  answers: Answers,
  replyTo: string,
  headers: Headers,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  const demands = new Demands(replyTo);
  const demandSubject = inbox.open(demands);
  let openDemand: string | undefined;
  try {
    let chunk = await chunks.next();
    for (let position = 0; ; position++) {
      const following = chunk.done ? chunk : await chunks.next();
      const body = chunk.done ? new Uint8Array() : chunk.value;
      const chunkHeaders = {
        [busHeaders.chunk]: String(position),
        ...(following.done ? {} : { [busHeaders.more]: 'true' }),
      };
      if (openDemand === undefined) {
        const answer = { headers: { ...headers, ...chunkHeaders }, body };
        answers.send(replyTo, answer, following.done ? undefined : demandSubject);
      } else {
        nc.publish(openDemand, body, {
          headers: toMessageHeaders(chunkHeaders),
          ...(following.done ? {} : { reply: `${demandSubject}.${position}` }),
        });
      }
      if (following.done) return;
      const demand = await demands.next();
      if (demand === undefined) return;
      openDemand = demand;
      chunk = following;
    }
  } catch (error) {
    if (openDemand === undefined) answers.fail(replyTo);
    else publishFailure(nc, inbox, openDemand);
    throw error;
  } finally {
    inbox.close(demandSubject);
    await chunks.return?.();
  }
}

/** A body in chunks. */
export async function* inChunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += CHUNK_BYTES) {
    yield body.subarray(start, start + CHUNK_BYTES);
  }
}

/** The demands of a receiver that were not answered yet: the subjects to send the next chunks to. */
class Demands implements Receiver {
  readonly #queue = new Queue<string>();
  /** The inbox of the connection that made the request; chunks go nowhere else. */
  readonly #receiverInbox: string;

  constructor(replyTo: string) {
    this.#receiverInbox = inboxAt(replyTo);
  }

  receive(message: Incoming): void {
    if (message.reply?.startsWith(this.#receiverInbox)) this.#queue.add(message.reply);
    else this.lost(); // A cancel, or nothing that a receiver would send.
  }

  lost(): void {
    this.#queue.clear();
    this.#queue.close();
  }

  /** The subject to send the next chunk to; undefined when there is no more demand. */
  next(): Promise<string | undefined> {
    return this.#queue.next(CHUNK_TIMEOUT_MS);
  }
}
