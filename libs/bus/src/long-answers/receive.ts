import { busHeaders } from '@action-platform/contracts/bus';
import { ActionError, type ErrorCode } from '@action-platform/contracts/errors';
import type { ServiceName } from '@action-platform/contracts/services';
import type { Connection } from '../nats/connection.ts';
import type { InFlight } from '../replicas/in-flight.ts';
import type { Incoming } from '../wire/incoming.ts';
import { connectionOf, numbered, type ReplyTo } from '../wire/reply-to.ts';
import { type ByteCredit, CHUNK_TIMEOUT_MS, publishCancel, WINDOW, WINDOW_CREDIT_BYTES } from './protocol.ts';
import { Queue } from './queue.ts';

/** The sender of the rest of a long answer. */
interface Sender {
  readonly service: ServiceName | undefined;
  /** The subject of its credits. */
  readonly credits: ReplyTo;
}

/**
 * The chunks of a long answer after the first, requested as they are consumed. Throws an ActionError of the code `failure` when
 * a chunk is missing. Stopping early cancels the rest.
 *
 * @param budget gives the bytes of a window of more than one chunk; without it the window is full.
 */
export function receiveChunks(
  connection: Connection,
  sender: Sender,
  failure: ErrorCode,
  budget?: ByteCredit,
): AsyncGenerator<Uint8Array> {
  const chunks = takeChunks(connection, sender, failure, budget);
  // A generator that was never started ends without its `finally`, and would not cancel.
  void chunks.next();
  return chunks;
}

async function* takeChunks(
  connection: Connection,
  { service, credits }: Sender,
  failure: ErrorCode,
  budget: ByteCredit | undefined,
): AsyncGenerator<Uint8Array> {
  let arrived: ArrivedChunks | undefined;
  let subject: ReplyTo | undefined;
  const { breaks } = connection;
  try {
    yield new Uint8Array(); // Taken by receiveChunks; no credit is given before the consumer begins.
    if (connection.breaks !== breaks) throw new ActionError(failure);
    arrived = new ArrivedChunks(service, connectionOf(credits), budget);
    subject = connection.open(arrived);
    for (let ahead = 1; ahead <= arrived.window; ahead++) {
      connection.publish(credits, undefined, { reply: numbered(subject, ahead) });
    }
    for (let position = 1; ; position++) {
      const message = await arrived.next();
      if (message?.headers?.get(busHeaders.chunk) !== String(position)) throw new ActionError(failure);
      yield message.data;
      if (!message.headers.has(busHeaders.more)) return;
      if (!arrived.complete) {
        connection.publish(numbered(credits, position), undefined, {
          reply: numbered(subject, position + arrived.window),
        });
      }
    }
  } finally {
    if (subject !== undefined) connection.close(subject);
    arrived?.release();
    if (arrived?.complete !== true && connection.breaks === breaks) publishCancel(connection, credits);
  }
}

/** Chunks that arrived and were not consumed yet, at most a window of them. */
class ArrivedChunks implements InFlight {
  readonly #queue = new Queue<Incoming>();
  readonly service: ServiceName | undefined;
  readonly sender: string;
  /** How many chunks may be on their way, or wait here. */
  readonly window: number;
  readonly #budget: ByteCredit | undefined;
  waitsSince: number | undefined;
  /** The last chunk has arrived. */
  complete = false;

  constructor(service: ServiceName | undefined, sender: string, budget: ByteCredit | undefined) {
    this.service = service;
    this.sender = sender;
    this.window = budget?.take(WINDOW_CREDIT_BYTES) === false ? 1 : WINDOW;
    this.#budget = budget;
  }

  /** Gives back what its window took. */
  release(): void {
    if (this.window > 1) this.#budget?.giveBack(WINDOW_CREDIT_BYTES);
  }

  receive(message: Incoming): void {
    const isChunk = message.headers?.has(busHeaders.chunk) === true;
    // Any other message means that the sender has failed; an unpermitted chunk, that it breaks the protocol.
    if (!isChunk || this.#queue.length === this.window) {
      this.lost();
      return;
    }
    this.complete ||= !message.headers!.has(busHeaders.more);
    this.#queue.add(message);
  }

  lost(): void {
    this.#queue.close();
  }

  replicaLost(): void {
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
