import { inboxPrefix } from '@action-platform/contracts/bus';
import { KEY_MAX_LENGTH, timeouts } from '@action-platform/contracts/limits';
import type { BusUser } from '@action-platform/contracts/services';
import {
  createInbox,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type PublishOptions,
  type Subscription,
} from '@nats-io/transport-node';
import { type Incoming, isFromJetStream } from '../wire/incoming.ts';
import { connectionOf, ownReplyTo, type ReplyTo } from '../wire/reply-to.ts';
import { headersBytes } from './internals.ts';

/** The largest headers, in bytes: the longest of them, a principal, is far smaller. */
const HEADERS_MAX_BYTES = 8 * 1024 + 8 * KEY_MAX_LENGTH;

/** A receiver of messages on a reply subject. */
export interface Receiver {
  receive(message: Incoming): void;
  /** The connection broke: everything under way may be lost. */
  lost(): void;
  /** The connection works again. */
  regained?(): void;
}

/** The receiver on an open reply subject. */
interface Opened {
  receiver: Receiver | undefined;
}

/** The reply subject and the headers of a message to publish. */
interface Outgoing {
  readonly reply?: ReplyTo | undefined;
  readonly headers?: MsgHdrs | undefined;
}

/** A connection to the NATS server: publishes, subscribes, and dispatches all messages on its reply subjects from one subscription. */
export class Connection {
  /** Names this connection in its reply subjects; of a process of the platform, the id of the replica. */
  readonly id: string;
  readonly #nc: NatsConnection;
  readonly #prefix: string;
  /**
   * By reply subject. When V8 rehashes an old map, the previous table stays in the old generation, with all its values, until a major garbage
   * collection. A receiver refers to its whole request, so closing its subject takes it out of the value.
   */
  readonly #opened = new Map<string, Opened>();
  /** Called for each reply subject that is opened. */
  onOpened: (() => void) | undefined;
  #counter = 0;
  #connected = true;
  #brokeAt = 0;
  #breaks = 0;

  constructor(nc: NatsConnection, user: BusUser) {
    this.#nc = nc;
    this.#prefix = `${createInbox(inboxPrefix(user))}.`;
    this.id = connectionOf(this.#prefix);
    this.subscribe(`${this.#prefix}>`, (message) => {
      const { subject } = message;
      const receiver =
        this.receiverAt(subject) ?? this.receiverAt(subject.slice(0, subject.lastIndexOf('.')));
      if (!isFromJetStream(message)) receiver?.receive(message);
    });
  }

  /** Whether the connection works. */
  get isConnected(): boolean {
    return this.#connected && !this.isClosed;
  }

  /** How often the connection broke. The permissions to answer messages end with it. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Whether the connection was closed, and will not be established again. */
  get isClosed(): boolean {
    return this.#nc.isClosed();
  }

  /** How long a request may wait for the connection, in milliseconds; 0 when it was closed, or has been broken for long. */
  get patienceMs(): number {
    if (this.isConnected) return Number.POSITIVE_INFINITY;
    return this.isClosed ? 0 : this.#brokeAt + timeouts.busPatience - performance.now();
  }

  /** The largest message that the NATS server takes, in bytes. */
  get largestMessage(): number {
    return this.#nc.info?.max_payload ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Publishes a message; throws the client's error when it is too large. Does nothing while the connection is broken: the client would keep
   * the message for the next connection, which has no permission to answer messages of this one.
   */
  publish(subject: string, body?: Uint8Array | string, options?: Outgoing): void {
    if (this.isConnected) this.#nc.publish(subject, body, options as PublishOptions);
  }

  /** Subscribes to a subject; the members of a queue group share its messages. */
  subscribe(subject: string, take: (message: Incoming) => void, queue?: string): Subscription {
    return this.#nc.subscribe(subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (error === null) take(received(message));
      },
    });
  }

  /** Opens a reply subject, and every `subject.…`, for a receiver, until it is closed. */
  open(receiver: Receiver): ReplyTo {
    const subject = ownReplyTo(this.#prefix, this.#counter++);
    this.#opened.set(subject, { receiver });
    this.onOpened?.();
    return subject;
  }

  /** Closes a reply subject; false when it was closed. */
  close(subject: string): boolean {
    const opened = this.#opened.get(subject);
    if (opened === undefined) return false;
    opened.receiver = undefined;
    return this.#opened.delete(subject);
  }

  /** The receiver of a reply subject. */
  receiverAt(subject: string): Receiver | undefined {
    return this.#opened.get(subject)?.receiver;
  }

  /** The receivers that are open now. */
  receivers(): Receiver[] {
    return Array.from(this.#opened.values(), ({ receiver }) => receiver!);
  }

  /** The connection broke. */
  lost(): void {
    // nats.js reports each failed attempt to connect too.
    if (this.#connected) {
      this.#brokeAt = performance.now();
      this.#breaks++;
    }
    this.#connected = false;
    for (const receiver of this.receivers()) receiver.lost();
  }

  /** The connection works again. */
  regained(): void {
    this.#connected = true;
    for (const receiver of this.receivers()) receiver.regained?.();
  }
}

/**
 * A received message, without headers when these are too large or cannot be parsed. The client throws for a malformed header,
 * and delivers nothing more once a callback has thrown.
 */
function received(message: Msg): Incoming {
  const claimed = message as unknown as Incoming;
  try {
    if (headersBytes(message) <= HEADERS_MAX_BYTES && message.headers !== null) return claimed;
  } catch {
    // Handled like headers that are too large.
  }
  const { subject, reply, data } = claimed;
  return { subject, reply, data };
}
