import {
  ActionError,
  busHeaders,
  type Effect,
  type ErrorCode,
  failureOf,
  type ServiceName,
  serviceOfSubject,
  withdrawnEvent,
} from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { tellEvent } from './events.ts';
import { ReceivedMessage, statusOf, toMessageHeaders } from './headers.ts';
import { type Inbox, isDemandSubject, type Receiver } from './inbox.ts';
import { type Incoming, saysNobodyIsThere } from './incoming.ts';
import { publishCancel } from './long-answers/protocol.ts';
import { receiveChunks } from './long-answers/receive.ts';
import type { RepeatBudget } from './repeat-budget.ts';
import { demandFor } from './replicas/undelivered.ts';

/** What goes with a request. */
export interface BusRequestOptions {
  /** How long to wait for the answer to begin, in milliseconds. */
  timeoutMs: number;
  /** What the request does: a `write`, unless it is said that it only reads. */
  effect?: Effect;
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Takes what withdraws the question, to be called when nobody waits for its answer any more: nothing more is sent for it,
   * it fails at once, and who works on it is told. Calling it later, or again, does nothing.
   */
  whenAbandoned?: ((withdraw: () => void) => void) | undefined;
}

/** The answer to a request. */
export interface BusReply {
  /** The HTTP status that belongs to it; its body is what the HTTP client gets. */
  readonly status: number;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
  /** The body, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `undefined` when `body` is all. */
  readonly more: AsyncGenerator<Uint8Array> | undefined;
}

/** How long replicas have to begin an answer to a read before others are asked, unless the connection says it. */
const ASK_AGAIN_MS = 1_500;

/** How many messages go out at once at most. */
const MAX_AT_ONCE = 3;

/**
 * A question that waits for its answer. A write is asked once. A read is asked again while nobody answers; a queue
 * group picks a replica at random, so the one that hangs may be picked again: the second time two messages are sent,
 * then three. Earlier ones stay open.
 */
export class Question implements Receiver {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #subject: string;
  readonly #body: Uint8Array | string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isRead: boolean;
  readonly #answer = Promise.withResolvers<BusReply>();
  readonly #replyTo: string;
  readonly #begunAt = performance.now();
  readonly #deadline: number;
  readonly #askAgainMs: number;
  readonly #budget: RepeatBudget;
  #timer: NodeJS.Timeout | undefined;
  #rounds = 0;
  #asked = 0;
  /** Where a replica was asked for an answer that it owes. */
  #owedAt: string | undefined;
  /** Messages without an answer. */
  #open = 0;
  /** It has its answer, or none is wanted any more. */
  #isOver = false;
  /** The connection was broken at some time since the question began. */
  #connectionBroke: boolean;

  constructor(
    nc: NatsConnection,
    inbox: Inbox,
    subject: string,
    body: Uint8Array | string,
    { timeoutMs, effect, headers = {} }: BusRequestOptions,
    budget: RepeatBudget,
    askAgainMs = ASK_AGAIN_MS,
  ) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#subject = subject;
    this.#body = body;
    this.#headers = headers;
    this.#isRead = effect === 'read';
    this.#replyTo = inbox.open(this);
    this.#connectionBroke = !inbox.connected;
    this.#deadline = this.#begunAt + timeoutMs;
    this.#askAgainMs = askAgainMs;
    this.#budget = budget;
  }

  /** Asks, a read again after a while, and resolves with what comes first. Rejects as `Bus.request` says. */
  ask(): Promise<BusReply> {
    if (this.#isOver && this.#open <= 0) return this.#answer.promise;
    const left = this.#deadline - performance.now();
    const { connected } = this.#inbox;
    const isFirst = this.#asked === 0;
    // A write is sent however little time is left: its service tells by that whether to begin.
    const isTimeUp = left < 1 && (this.#isRead || !isFirst);
    const isUseless = this.#isRead ? this.#nc.isClosed() : isFirst && !connected;
    if (isTimeUp || isUseless) {
      this.#fail(this.#failure);
    } else {
      const repeats = this.#isRead && !this.#isOver;
      clearTimeout(this.#timer);
      const patience = repeats ? Math.min(left, this.#askAgainMs) : left;
      this.#timer = setTimeout(askAgain, Math.max(1, patience), this);
      if (connected && (repeats || isFirst)) this.#send(left);
    }
    return this.#answer.promise;
  }

  /** Sends the messages of a round. When one cannot be published, that is the end. */
  #send(timeoutMs: number): void {
    const headers = toMessageHeaders(this.#headers);
    headers.set(busHeaders.timeoutMs, String(Math.ceil(timeoutMs)));
    this.#rounds++;
    try {
      for (let i = Math.min(this.#rounds, MAX_AT_ONCE); i > 0; i--) {
        if (this.#asked === 0) this.#budget.earn();
        else if (!this.#budget.spend()) break;
        const reply = this.#replySubject(this.#asked);
        this.#nc.publish(this.#subject, this.#body, { reply, headers });
        this.#asked++;
        this.#open++;
      }
    } catch {
      // The client compares with `max_payload` before it sends anything; its error does not say so in its type.
      const bytes = Buffer.byteLength(this.#body) + Buffer.byteLength(String(headers));
      const isTooLarge = bytes > (this.#nc.info?.max_payload ?? Number.POSITIVE_INFINITY);
      this.#fail(isTooLarge ? 'request_body_too_large' : 'action_platform_unavailable');
    }
  }

  receive(message: Incoming): void {
    const { headers, reply } = message;
    const hasMore = headers?.has(busHeaders.more) === true;
    const isLong = hasMore && isDemandSubject(this.#subject, reply);
    this.#open--;
    if (this.#isOver) {
      // A further answer is not wanted; the sender of a long one is told.
      if (isLong) publishCancel(this.#nc, this.#inbox, reply!);
    } else if (message.subject === this.#owedAt && statusOf(headers) === undefined) {
      // Whoever owed it does not have it, or is gone.
      this.replicaGone();
    } else if (saysNobodyIsThere(message)) {
      // After a break the services, too, need a moment.
      if (!this.#connectionBroke) this.#fail('action_platform_unavailable');
    } else {
      this.#isOver = true;
      const status = statusOf(headers);
      // An answer without a status is a sender's way to say that it failed before it could answer.
      if (status === undefined || hasMore !== isLong) {
        this.#answer.reject(new ActionError(this.#failure));
      } else {
        const more = isLong
          ? receiveChunks(this.#nc, this.#inbox, { service: this.service, demands: reply! }, this.#failure)
          : undefined;
        this.#answer.resolve(new Reply(message, status, more));
      }
    }
    if (this.#isOver && this.#open <= 0) this.#close();
  }

  /** Nobody waits for the answer any more. Those that were asked are told; what they answer all the same is not wanted. */
  withdraw(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#answer.reject(new ActionError(this.#failure));
    const { service } = this;
    if (this.#open > 0 && this.#inbox.connected && service !== undefined) {
      tellEvent(this.#nc, this.#inbox, withdrawnEvent(service), { replies: this.asked });
    } else {
      this.#close();
    }
  }

  lost(): void {
    this.#connectionBroke = true;
    this.#open = 0;
    if (this.#isOver) this.#close();
    else if (!this.#isRead || this.#nc.isClosed()) this.#fail(this.#failure);
  }

  regained(): void {
    void this.ask();
  }

  get waitsSince(): number | undefined {
    return this.#isOver ? undefined : this.#begunAt;
  }

  get service(): ServiceName | undefined {
    return serviceOfSubject(this.#subject);
  }

  get asked(): string[] {
    return Array.from({ length: this.#asked }, (_, index) => this.#replySubject(index));
  }

  owed(subject: string, reply: string): void {
    if (this.#isOver || !this.#inbox.connected) return;
    this.#owedAt = this.#replySubject(this.#asked++);
    this.#nc.publish(subject, demandFor(reply), { reply: this.#owedAt });
  }

  /** None of the replicas that are left has the question. */
  replicaGone(): void {
    if (this.#isOver) return;
    this.#open = 0;
    if (this.#isRead) void this.ask();
    else this.#fail(this.#failure);
  }

  /** What to say when no good answer comes: only a write that was sent may have done something. */
  get #failure(): ErrorCode {
    return failureOf(this.#isRead || this.#asked === 0 ? 'read' : 'write');
  }

  #fail(code: ErrorCode): void {
    this.#isOver = true;
    this.#close();
    this.#answer.reject(new ActionError(code));
  }

  /** Where the answer to one of its messages goes. */
  #replySubject(index: number): string {
    return index === 0 ? this.#replyTo : `${this.#replyTo}.${index}`;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#inbox.close(this.#replyTo);
  }
}

function askAgain(question: Question): void {
  void question.ask();
}

class Reply extends ReceivedMessage implements BusReply {
  readonly status: number;
  readonly more: BusReply['more'];

  constructor(message: Incoming, status: number, more: BusReply['more']) {
    super(message);
    this.status = status;
    this.more = more;
  }
}
