import { ActionError } from '@action-platform/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { busHeaders } from './headers.ts';
import type { Inbox, Receiver } from './inbox.ts';
import { isDemandSubject, publishCancel } from './long-answers/protocol.ts';
import { type BusRequestOptions, isNobodyThere, publishRequest } from './request.ts';

/** How long replicas have to begin an answer before others are asked, in milliseconds. */
const ASK_AGAIN_MS = 1_500;

/** How many questions go out at once at most. */
const MAX_AT_ONCE = 3;

/**
 * Asks until somebody answers and resolves with the message that came first. Rejects with ActionError as
 * `Bus.query` says.
 */
export function sendQuery(
  nc: NatsConnection,
  inbox: Inbox,
  subject: string,
  body: Uint8Array | string,
  options: BusRequestOptions,
): Promise<Msg> {
  return new Promise((resolve, reject) => {
    if (nc.isClosed()) throw new ActionError('action_platform_unavailable');
    new PendingQuery(nc, inbox, { subject, body, options, resolve, reject }).ask();
  });
}

interface Query {
  readonly subject: string;
  readonly body: Uint8Array | string;
  readonly options: BusRequestOptions;
  readonly resolve: (message: Msg) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A query under way. A queue group picks a replica at random, so the one that hangs may be picked again: the
 * second time two questions are sent, then three. Earlier questions stay open.
 */
class PendingQuery implements Receiver {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #query: Query;
  readonly #replyTo: string;
  readonly #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  #rounds = 0;
  #asked = 0;
  /** Questions without an answer. */
  #open = 0;
  #isAnswered = false;
  /** The connection was broken at some time since the query began. */
  #connectionBroke: boolean;

  constructor(nc: NatsConnection, inbox: Inbox, query: Query) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#query = query;
    this.#replyTo = inbox.open(this);
    this.#connectionBroke = !inbox.connected;
    this.#deadline = performance.now() + query.options.timeoutMs;
  }

  /** Asks, and again after a while; ends the query when its time is up. */
  ask(): void {
    const left = this.#deadline - performance.now();
    if (left < 1) {
      this.#fail();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(askAgain, this.#isAnswered ? left : Math.min(left, ASK_AGAIN_MS), this);
    if (this.#isAnswered || !this.#inbox.connected) return;
    const { subject, body, options } = this.#query;
    this.#rounds++;
    try {
      for (let i = Math.min(this.#rounds, MAX_AT_ONCE); i > 0; i--) {
        const replyTo = this.#asked === 0 ? this.#replyTo : `${this.#replyTo}.${this.#asked}`;
        publishRequest(this.#nc, subject, body, replyTo, options.headers, left);
        this.#asked++;
        this.#open++;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  receive(message: Msg): void {
    this.#open--;
    if (this.#isAnswered) {
      this.#dismiss(message);
    } else if (!isNobodyThere(message)) {
      this.#isAnswered = true;
      this.#query.resolve(message);
    } else if (!this.#connectionBroke) {
      this.#fail();
    } // After a break the services, too, need a moment to come back.
    if (this.#isAnswered && this.#open <= 0) this.#close();
  }

  lost(): void {
    this.#connectionBroke = true;
    this.#open = 0;
    if (this.#isAnswered) this.#close();
    else if (this.#nc.isClosed()) this.#fail();
  }

  regained(): void {
    this.ask();
  }

  /** A further answer is not wanted; the sender of a long one is told. */
  #dismiss({ headers, reply }: Msg): void {
    const isLong = headers?.has(busHeaders.more) === true;
    if (isLong && isDemandSubject(this.#query.subject, reply)) publishCancel(this.#nc, this.#inbox, reply);
  }

  #fail(error: unknown = new ActionError('action_platform_unavailable')): void {
    this.#close();
    this.#query.reject(error);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#inbox.close(this.#replyTo);
  }
}

function askAgain(query: PendingQuery): void {
  query.ask();
}
