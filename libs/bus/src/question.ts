import {
  ActionError,
  busHeaders,
  type ErrorCode,
  failureOf,
  type ServiceName,
  serviceOfSubject,
  withdrawnEvent,
} from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { BATCHABLE_BYTES } from './batches/batch.ts';
import type { Outgoing, RequestBatches } from './batches/requests.ts';
import { tellEvent } from './events.ts';
import { type Headers, statusOf, toMessageHeaders } from './headers.ts';
import { type Inbox, isDemandSubject, type Receiver } from './inbox.ts';
import { type Incoming, saysNobodyIsThere } from './incoming.ts';
import { type ByteCredit, publishCancel } from './long-answers/protocol.ts';
import { receiveChunks } from './long-answers/receive.ts';
import type { RepeatBudget } from './repeat-budget.ts';
import { demandFor } from './replicas/undelivered.ts';
import { type BusReply, Reply } from './reply.ts';
import type { BusRequestOptions } from './request.ts';

/** Why a request has no good answer, for its span. */
export type Failure =
  | 'no_responders'
  | 'timeout'
  | 'connection_lost'
  | 'replica_gone'
  | 'cancelled'
  | 'not_sent'
  | 'broken_answer';

/** How long replicas have to begin an answer to a read before others are asked, unless the connection says it. */
const ASK_AGAIN_MS = 1_500;

/** How often an answer is asked for again that a replica says it owes. */
const MOST_REDELIVERIES = 5;

/** How many messages go out at once at most. */
const MAX_AT_ONCE = 3;

/**
 * A question that waits for its answer. A write is asked once. A read is asked again while nobody answers; a queue
 * group picks a replica at random, so the one that hangs may be picked again: the second time two messages are sent,
 * then three. Earlier ones stay open.
 */
export class Question implements Receiver, Outgoing {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #requests: RequestBatches;
  readonly subject: string;
  readonly body: Uint8Array | string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #isRead: boolean;
  readonly #byteCredit: ByteCredit | undefined;
  readonly #answer = Promise.withResolvers<BusReply>();
  readonly replyTo: string;
  readonly #begunAt = performance.now();
  readonly #deadline: number;
  readonly #askAgainMs: number;
  readonly #budget: RepeatBudget;
  /** Where the answers go to those that it was sent with. */
  batch: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #rounds = 0;
  #asked = 0;
  /** It was sent: it does not wait for the end of the turn any more. */
  #hasLeft = false;
  /** Where a replica was asked for an answer that it owes, and how often one was. */
  #owedAt: string | undefined;
  #redeliveries = 0;
  /** Messages without an answer. */
  #open = 0;
  /** It has its answer, or none is wanted any more. */
  isOver = false;
  /** Why it failed; undefined unless it did. */
  failure: Failure | undefined;
  /** The connection was broken at some time since the question began. */
  #connectionBroke: boolean;

  constructor(
    nc: NatsConnection,
    inbox: Inbox,
    questions: RequestBatches,
    subject: string,
    body: Uint8Array | string,
    { timeoutMs, effect, headers = {}, byteCredit }: BusRequestOptions,
    budget: RepeatBudget,
    askAgainMs = ASK_AGAIN_MS,
  ) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#requests = questions;
    this.subject = subject;
    this.body = body;
    this.#headers = headers;
    this.#isRead = effect === 'read';
    this.#byteCredit = byteCredit;
    this.replyTo = inbox.open(this);
    this.#connectionBroke = !inbox.connected;
    this.#deadline = this.#begunAt + timeoutMs;
    this.#askAgainMs = askAgainMs;
    this.#budget = budget;
  }

  /** Asks, a read again after a while, and resolves with what comes first. Rejects as `Bus.request` says. */
  ask(): Promise<BusReply> {
    if (this.isOver && this.#open <= 0) return this.#answer.promise;
    const left = this.#deadline - performance.now();
    const { connected } = this.#inbox;
    const isFirst = this.#asked === 0;
    // A write is sent however little time is left: its service tells by that whether to begin.
    const isTimeUp = left < 1 && (this.#isRead || !isFirst);
    const isUseless = this.#isRead ? this.#nc.isClosed() : isFirst && !connected;
    if (isTimeUp || isUseless) {
      this.#fail(this.#failureCode, isTimeUp ? 'timeout' : 'connection_lost');
    } else {
      const repeats = this.#isRead && !this.isOver;
      clearTimeout(this.#timer);
      const patience = repeats ? Math.min(left, this.#askAgainMs) : left;
      this.#timer = setTimeout(askAgain, Math.max(1, patience), this);
      if (connected && (repeats || isFirst)) this.#send();
    }
    return this.#answer.promise;
  }

  /** Sends the messages of a round. The first leaves with what else is asked in this turn, unless it is large. */
  #send(): void {
    this.#rounds++;
    for (let i = Math.min(this.#rounds, MAX_AT_ONCE); i > 0 && !this.isOver; i--) {
      if (this.#asked === 0) this.#budget.earn();
      else if (!this.#budget.spend()) break;
      const reply = this.#replySubject(this.#asked++);
      this.#open++;
      if (this.#asked === 1 && this.body.length <= BATCHABLE_BYTES) this.#requests.add(this);
      else this.#publish(reply);
    }
  }

  /** What goes with the question. */
  get headers(): Headers {
    const timeoutMs = Math.ceil(this.#deadline - performance.now());
    return { ...this.#headers, [busHeaders.timeoutMs]: String(timeoutMs) };
  }

  sendAlone(): void {
    this.#publish(this.replyTo);
  }

  sentIn(batch: string): void {
    this.#hasLeft = true;
    this.batch = batch;
  }

  /** Publishes the question. When that cannot be done, that is the end. */
  #publish(reply: string): void {
    this.#hasLeft = true;
    const headers = toMessageHeaders(this.headers);
    try {
      this.#nc.publish(this.subject, this.body, { reply, headers });
    } catch {
      // The client compares with `max_payload` before it sends anything; its error does not say so in its type.
      const bytes = Buffer.byteLength(this.body) + Buffer.byteLength(String(headers));
      const isTooLarge = bytes > (this.#nc.info?.max_payload ?? Number.POSITIVE_INFINITY);
      this.#fail(isTooLarge ? 'request_body_too_large' : 'action_platform_unavailable', 'not_sent');
    }
  }

  receive(message: Incoming): void {
    const { headers, reply } = message;
    const hasMore = headers?.has(busHeaders.more) === true;
    const isLong = hasMore && isDemandSubject(this.subject, reply);
    this.#open--;
    if (this.isOver) {
      // A further answer is not wanted; the sender of a long one is told.
      if (isLong) publishCancel(this.#nc, this.#inbox, reply!);
    } else if (message.subject === this.#owedAt && statusOf(headers) === undefined) {
      // Whoever owed it does not have it, or is gone.
      this.replicaGone();
    } else if (saysNobodyIsThere(message)) {
      // After a break the services, too, need a moment.
      if (!this.#connectionBroke) this.#fail('action_platform_unavailable', 'no_responders');
    } else {
      this.isOver = true;
      const status = statusOf(headers);
      // An answer without a status is a sender's way to say that it failed before it could answer.
      if (status === undefined || hasMore !== isLong) {
        this.failure = 'broken_answer';
        this.#answer.reject(new ActionError(this.#failureCode));
      } else {
        const more = isLong
          ? receiveChunks(
              this.#nc,
              this.#inbox,
              { service: this.service, credits: reply! },
              this.#failureCode,
              this.#byteCredit,
            )
          : undefined;
        this.#answer.resolve(new Reply(message, status, more));
      }
    }
    if (this.isOver && this.#open <= 0) this.#close();
  }

  /** Nobody waits for the answer any more. Those that were asked are told; what they answer all the same is not wanted. */
  withdraw(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = 'cancelled';
    this.#answer.reject(new ActionError(this.#failureCode));
    const { service } = this;
    if (this.#open > 0 && this.#hasLeft && this.#inbox.connected && service !== undefined) {
      tellEvent(this.#nc, this.#inbox, withdrawnEvent(service), { replies: this.asked });
    } else {
      this.#close();
    }
  }

  lost(): void {
    this.#connectionBroke = true;
    this.#open = 0;
    if (this.isOver) this.#close();
    else if (!this.#isRead || this.#nc.isClosed()) this.#fail(this.#failureCode, 'connection_lost');
  }

  regained(): void {
    void this.ask();
  }

  get waitsSince(): number | undefined {
    return this.isOver || !this.#hasLeft ? undefined : this.#begunAt;
  }

  get service(): ServiceName | undefined {
    return serviceOfSubject(this.subject);
  }

  get asked(): string[] {
    return Array.from({ length: this.#asked }, (_, index) => this.#replySubject(index));
  }

  owed(subject: string, reply: string): void {
    if (this.isOver || !this.#inbox.connected || this.#redeliveries === MOST_REDELIVERIES) return;
    this.#redeliveries++;
    this.#owedAt = this.#replySubject(this.#asked++);
    this.#nc.publish(subject, demandFor(reply), { reply: this.#owedAt });
  }

  /** None of the replicas that are left has the question. */
  replicaGone(): void {
    if (this.isOver) return;
    this.#open = 0;
    if (this.#isRead) void this.ask();
    else this.#fail(this.#failureCode, 'replica_gone');
  }

  /** What to say when no good answer comes: only a write that was sent may have done something. */
  get #failureCode(): ErrorCode {
    return failureOf(this.#isRead || !this.#hasLeft ? 'read' : 'write');
  }

  #fail(code: ErrorCode, failure: Failure): void {
    this.isOver = true;
    this.failure = failure;
    this.#close();
    this.#answer.reject(new ActionError(code));
  }

  /** Where the answer to one of its messages goes. */
  #replySubject(index: number): string {
    return index === 0 ? this.replyTo : `${this.replyTo}.${index}`;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#inbox.close(this.replyTo);
  }
}

function askAgain(question: Question): void {
  void question.ask();
}
