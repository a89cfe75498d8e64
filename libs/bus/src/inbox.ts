import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { createInbox } from '@nats-io/transport-node';

/** Somebody who waits for messages on a subject of the inbox. */
export interface Receiver {
  receive(message: Msg): void;
  /** The connection broke: what was under way may be lost. */
  lost(): void;
  /** The connection is there again. */
  regained?(): void;
}

/** The subjects on which this connection receives replies: one subscription for all of them. */
export class Inbox {
  readonly #nc: NatsConnection;
  readonly #prefix: string;
  readonly #receivers = new Map<string, Receiver>();
  #counter = 0;
  #connected = true;

  constructor(nc: NatsConnection, prefix: string) {
    this.#nc = nc;
    this.#prefix = `${createInbox(prefix)}.`;
    nc.subscribe(`${this.#prefix}>`, {
      callback: (error, message) => {
        if (error === null) this.#receiverOf(message.subject)?.receive(message);
      },
    });
  }

  /** Whether messages can come in and go out. */
  get connected(): boolean {
    return this.#connected && !this.#nc.isClosed();
  }

  /** Opens a subject, and all of the form `subject.…`, for a receiver, until it is closed. */
  open(receiver: Receiver): string {
    const subject = this.#prefix + (this.#counter++).toString(36);
    this.#receivers.set(subject, receiver);
    return subject;
  }

  close(subject: string): void {
    this.#receivers.delete(subject);
  }

  #receiverOf(subject: string): Receiver | undefined {
    return this.#receivers.get(subject) ?? this.#receivers.get(subject.slice(0, subject.lastIndexOf('.')));
  }

  /** Tells every receiver that the connection broke. */
  connectionLost(): void {
    this.#connected = false;
    for (const receiver of [...this.#receivers.values()]) receiver.lost();
  }

  /** Tells every receiver that the connection is there again. */
  connectionRegained(): void {
    this.#connected = true;
    for (const receiver of [...this.#receivers.values()]) receiver.regained?.();
  }
}
