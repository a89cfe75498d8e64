import { ActionError, busHeaders, type ErrorCode } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Inbox, Receiver } from '../inbox.ts';
import type { Incoming } from '../incoming.ts';
import { Queue } from '../queue.ts';
import { CHUNK_TIMEOUT_MS, publishCancel, WINDOW } from './protocol.ts';

/**
 * The chunks of a long answer after the first, asked for on the subject `demands` as they are consumed. Throws
 * an ActionError of the code `failure` when a chunk is missing. Stopping early tells the sender to stop too.
 */
export function receiveChunks(
  nc: NatsConnection,
  inbox: Inbox,
  demands: string,
  failure: ErrorCode,
): AsyncGenerator<Uint8Array> {
  const chunks = takeChunks(nc, inbox, demands, failure);
  // A generator that was never started ends without its `finally`, and the sender would not be told.
  void chunks.next();
  return chunks;
}

async function* takeChunks(
  nc: NatsConnection,
  inbox: Inbox,
  demands: string,
  failure: ErrorCode,
): AsyncGenerator<Uint8Array> {
  const arrived = new ArrivedChunks();
  let subject = '';
  try {
    yield new Uint8Array(); // Taken by receiveChunks; nothing is demanded before the consumer begins.
    subject = inbox.open(arrived);
    for (let ahead = 1; ahead <= WINDOW; ahead++) {
      nc.publish(demands, undefined, { reply: `${subject}.${ahead}` });
    }
    for (let position = 1; ; position++) {
      const message = await arrived.next();
      if (message?.headers?.get(busHeaders.chunk) !== String(position)) throw new ActionError(failure);
      yield message.data;
      if (!message.headers.has(busHeaders.more)) return;
      if (!arrived.complete) {
        nc.publish(`${demands}.${position}`, undefined, { reply: `${subject}.${position + WINDOW}` });
      }
    }
  } catch (error) {
    // What the client throws, for a connection that was closed meanwhile, is a chunk that will not come.
    throw error instanceof ActionError ? error : new ActionError(failure);
  } finally {
    inbox.close(subject);
    if (!arrived.complete) publishCancel(nc, inbox, demands);
  }
}

/** Chunks that arrived and were not consumed yet, at most a window of them. */
class ArrivedChunks implements Receiver {
  readonly #queue = new Queue<Incoming>();
  /** The last chunk has arrived. */
  complete = false;

  receive(message: Incoming): void {
    const isChunk = message.headers?.has(busHeaders.chunk) === true;
    // Anything else says that the sender is gone or has failed; more than was asked for, that it is none of ours.
    if (!isChunk || this.#queue.length === WINDOW) {
      this.lost();
      return;
    }
    this.complete ||= !message.headers!.has(busHeaders.more);
    this.#queue.add(message);
  }

  lost(): void {
    this.#queue.close();
  }

  /** The next chunk; undefined when it will not come. */
  next(): Promise<Incoming | undefined> {
    return this.#queue.next(CHUNK_TIMEOUT_MS);
  }
}
