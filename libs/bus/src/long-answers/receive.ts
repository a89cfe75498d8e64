import { ActionError, busHeaders, type ErrorCode, type ServiceName } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectionOf, type Inbox, type Receiver } from '../inbox.ts';
import type { Incoming } from '../incoming.ts';
import { Queue } from '../queue.ts';
import { CHUNK_TIMEOUT_MS, publishCancel, WINDOW } from './protocol.ts';

/** Whom the rest of a long answer comes from. */
interface Sender {
  readonly service: ServiceName | undefined;
  /** The subject on which it is told what is wanted. */
  readonly demands: string;
}

/**
 * The chunks of a long answer after the first, asked of its sender as they are consumed. Throws an ActionError of the
 * code `failure` when a chunk is missing. Stopping early tells the sender to stop too.
 */
export function receiveChunks(
  nc: NatsConnection,
  inbox: Inbox,
  sender: Sender,
  failure: ErrorCode,
): AsyncGenerator<Uint8Array> {
  const chunks = takeChunks(nc, inbox, sender, failure);
  // A generator that was never started ends without its `finally`, and the sender would not be told.
  void chunks.next();
  return chunks;
}

async function* takeChunks(
  nc: NatsConnection,
  inbox: Inbox,
  { service, demands }: Sender,
  failure: ErrorCode,
): AsyncGenerator<Uint8Array> {
  const arrived = new ArrivedChunks(service, connectionOf(demands));
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
  readonly service: ServiceName | undefined;
  readonly sender: string | undefined;
  waitsSince: number | undefined;
  /** The last chunk has arrived. */
  complete = false;

  constructor(service: ServiceName | undefined, sender: string | undefined) {
    this.service = service;
    this.sender = sender;
  }

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

  replicaGone(): void {
    this.lost();
  }

  /** The next chunk; undefined when it will not come. */
  async next(): Promise<Incoming | undefined> {
    this.waitsSince = performance.now();
    const message = await this.#queue.next(CHUNK_TIMEOUT_MS);
    this.waitsSince = undefined;
    return message;
  }
}
