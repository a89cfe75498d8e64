import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { createInbox } from '@nats-io/transport-node';

/** Somebody who waits for messages on a subject of the inbox. */
export interface Receiver {
  receive(message: Msg): void;
  /** The connection broke: what was under way may be lost. */
  lost(): void;
}

/** The subjects on which this connection receives replies: one subscription for all of them. */
export class Inbox {
  readonly #prefix: string;
  readonly #receivers = new Map<string, Receiver>();
  #counter = 0;

  constructor(nc: NatsConnection, prefix: string) {
    this.#prefix = `${createInbox(prefix)}.`;
    nc.subscribe(`${this.#prefix}*`, {
      callback: (error, message) => {
        if (error === null) this.#receivers.get(message.subject.slice(this.#prefix.length))?.receive(message);
      },
    });
  }

  /** Opens a subject for a receiver, until `close` is called. */
  open(receiver: Receiver): { subject: string; close: () => void } {
    const token = (this.#counter++).toString(36);
    this.#receivers.set(token, receiver);
    return { subject: this.#prefix + token, close: () => this.#receivers.delete(token) };
  }

  /** Tells every receiver that the connection broke. */
  connectionLost(): void {
    for (const receiver of [...this.#receivers.values()]) receiver.lost();
  }
}
