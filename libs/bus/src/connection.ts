import { type BusUser, busUsers, inboxPrefix, serviceOfSubject, timeouts } from '@action-platform/contracts';
import type {
  NatsConnection,
  PublishOptions,
  Subscription,
  SubscriptionOptions,
} from '@nats-io/transport-node';
import { createInbox } from '@nats-io/transport-node';
import { type Incoming, incoming, isFromJetStream } from './incoming.ts';

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

  constructor(nc: NatsConnection, user: BusUser) {
    this.#nc = nc;
    this.#prefix = `${createInbox(inboxPrefix(user))}.`;
    this.id = connectionOf(this.#prefix)!;
    nc.subscribe(`${this.#prefix}>`, {
      callback: (error, message) => {
        if (error !== null) return;
        const { subject } = message;
        const receiver =
          this.receiverAt(subject) ?? this.receiverAt(subject.slice(0, subject.lastIndexOf('.')));
        const received = incoming(message);
        if (!isFromJetStream(received)) receiver?.receive(received);
      },
    });
  }

  /** Whether the connection works. */
  get isConnected(): boolean {
    return this.#connected && !this.isClosed;
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
  publish(subject: string, body?: Uint8Array | string, options?: PublishOptions): void {
    if (this.isConnected) this.#nc.publish(subject, body, options);
  }

  /** Subscribes to a subject. */
  subscribe(subject: string, options: SubscriptionOptions): Subscription {
    return this.#nc.subscribe(subject, options);
  }

  /** Opens a reply subject, and every `subject.…`, for a receiver, until it is closed. */
  open(receiver: Receiver): string {
    const subject = this.#prefix + (this.#counter++).toString(36);
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

  /** All receivers, as they are now. */
  receivers(): Receiver[] {
    return Array.from(this.#opened.values(), ({ receiver }) => receiver!);
  }

  /** The connection broke. */
  lost(): void {
    // Each failed attempt to connect is reported too.
    if (this.#connected) this.#brokeAt = performance.now();
    this.#connected = false;
    for (const receiver of this.receivers()) receiver.lost();
  }

  /** The connection works again. */
  regained(): void {
    this.#connected = true;
    for (const receiver of this.receivers()) receiver.regained?.();
  }
}

/** The beginning of all reply subjects of a bus user. */
const inboxOf = new Map<BusUser, string>(busUsers.map((user) => [user, `${inboxPrefix(user)}.`]));

/**
 * The rest: the connection, the receiver, and a number. Anything else was not made by an inbox, and could be so long that the NATS
 * server breaks the connection of its publisher.
 */
const BELOW_PREFIX = /^[0-9A-Za-z]{1,32}\.[0-9A-Za-z]{1,32}(\.\d{1,16})?$/;
const BELOW_CONNECTION = /^[0-9A-Za-z]{1,32}(\.\d{1,16})?$/;

/** Whether a subject is one on which this user receives replies. */
export function isInInboxOf(user: BusUser, subject: string | undefined): subject is string {
  const prefix = inboxOf.get(user)!;
  return subject?.startsWith(prefix) === true && BELOW_PREFIX.test(subject.slice(prefix.length));
}

/** How all subjects begin that are in the same inbox as this one: that of one connection of one user. */
export function inboxAt(subject: string): string {
  const [user, connection] = subject.split('.', 2);
  return `${user}.${connection}.`;
}

/** Whether a subject is one on which the connection receives replies that does so on `other`. */
export function isBeside(subject: string, other: string): boolean {
  const prefix = inboxAt(other);
  return subject.startsWith(prefix) && BELOW_CONNECTION.test(subject.slice(prefix.length));
}

/** The connection in whose inbox a subject is. */
export function connectionOf(subject: string): string | undefined {
  return subject.split('.', 2)[1];
}

/** Whether credits for the rest of an answer from `subject` may go to `reply`: it is in its service's inbox. */
export function isCreditSubject(subject: string, reply: string | undefined): reply is string {
  const service = serviceOfSubject(subject);
  return service !== undefined && isInInboxOf(service, reply);
}
