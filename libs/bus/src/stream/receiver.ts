import { ActionError } from '@action-platform/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { busHeaders, toMessageHeaders } from '../headers.ts';
import type { Inbox } from '../inbox.ts';
import { WaitingLine } from './waiting-line.ts';

/** How many pieces may be on their way to the receiver, so that it need not wait for each in turn. */
const WINDOW = 4;

/** How long the receiver waits for a piece it asked for. */
const IDLE_LIMIT_MS = 30_000;

/**
 * The pieces of a long answer after the first, asked for as they are consumed. Ends with
 * `action_infrastructure_failure` when a piece is missing. Stopping early tells the sender to stop too.
 */
export async function* receivePieces(
  nc: NatsConnection,
  inbox: Inbox,
  first: Msg,
): AsyncGenerator<Uint8Array> {
  const arrived = new ArrivedPieces();
  const { subject, close } = inbox.open(arrived);
  const demand = () => nc.publish(first.reply!, undefined, { reply: subject });
  try {
    for (let i = 0; i < WINDOW; i++) demand();
    for (let position = 1; ; position++) {
      const message = await arrived.next();
      if (message === undefined || message.headers?.get(busHeaders.piece) !== String(position)) {
        throw new ActionError('action_infrastructure_failure');
      }
      yield message.data;
      if (!message.headers.has(busHeaders.more)) return;
      demand();
    }
  } finally {
    close();
    if (!arrived.complete && !nc.isClosed()) {
      nc.publish(first.reply!, undefined, { headers: toMessageHeaders({ [busHeaders.cancel]: 'true' }) });
    }
  }
}

/** Pieces that arrived and were not consumed yet. */
class ArrivedPieces {
  readonly #waiting = new WaitingLine<Msg>();
  /** The last piece has arrived. */
  complete = false;

  receive(message: Msg): void {
    // Anything but a piece says that the sender is gone, or has failed.
    if (!message.headers?.has(busHeaders.piece)) {
      this.lost();
      return;
    }
    this.complete ||= !message.headers.has(busHeaders.more);
    this.#waiting.add(message);
  }

  lost(): void {
    this.#waiting.close();
  }

  /** The next piece; undefined when it will not come. */
  next(): Promise<Msg | undefined> {
    return this.#waiting.next(IDLE_LIMIT_MS);
  }
}
