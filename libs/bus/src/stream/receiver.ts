import { ActionError } from '@action-platform/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { busHeaders, toMessageHeaders } from '../headers.ts';
import type { Inbox } from '../inbox.ts';

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
  readonly #waiting: Msg[] = [];
  #wake: (() => void) | undefined;
  #lost = false;
  /** The last piece has arrived. */
  complete = false;

  receive(message: Msg): void {
    if (message.headers?.has(busHeaders.piece)) {
      this.#waiting.push(message);
      this.complete ||= !message.headers.has(busHeaders.more);
    } else {
      // The sender is gone: the NATS server itself answered that nobody listens.
      this.#lost = true;
    }
    this.#wake?.();
  }

  lost(): void {
    this.#lost = true;
    this.#wake?.();
  }

  /** The next piece; undefined when it will not come. */
  async next(): Promise<Msg | undefined> {
    if (this.#waiting.length === 0 && !this.#lost) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, IDLE_LIMIT_MS);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    return this.#waiting.shift();
  }
}
