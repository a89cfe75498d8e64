import {
  ActionError,
  busHeaders,
  cancelledEvent,
  type ErrorCode,
  failureOf,
  type ServiceName,
  serviceOfSubject,
} from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { BATCHABLE_BYTES } from '../batches/batch.ts';
import type { Outgoing, RequestBatches } from '../batches/requests.ts';
import { tellEvent } from '../events.ts';
import type { InFlight } from '../failover/in-flight.ts';
import { demandFor } from '../failover/redelivery.ts';
import { type Headers, statusOf, toMessageHeaders } from '../headers.ts';
import { type Inbox, isDemandSubject } from '../inbox.ts';
import { type Incoming, saysNobodyIsThere } from '../incoming.ts';
import { type ByteCredit, publishCancel } from '../long-answers/protocol.ts';
import { receiveChunks } from '../long-answers/receive.ts';
import type { Failure } from '../spans.ts';
import type { BusRequestOptions } from './options.ts';
import type { RepeatBudget } from './repeat-budget.ts';
import { type BusReply, Reply } from './reply.ts';

/** How long a replica has to begin the answer to a read before others are asked, by default, in milliseconds. */
const ASK_AGAIN_MS = 1_500;

/** The most redeliveries of one answer. */
const MOST_REDELIVERIES = 5;

/** The most messages sent at once. */
const MAX_AT_ONCE = 3;

/**
 * A request that waits for its answer. A write is sent once. A read is sent again while no replica answers. A queue group
 * picks a replica at random and may pick one that hangs again, so the second round is two messages, the third and later
 * ones three. Earlier messages stay open.
 */
export class PendingRequest implements InFlight, Outgoing {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #batches: RequestBatches;
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
  batch: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #rounds = 0;
  #asked = 0;
  /** It was sent, and does not wait for the end of the turn. */
  #hasLeft = false;
  /** The reply subject of the last redelivery, and how many there were. */
  #redeliveredAt: string | undefined;
  #redeliveries = 0;
  /** Messages without an answer. */
  #open = 0;
  /** It has its answer, failed or was cancelled. */
  isOver = false;
  /** Why it failed; undefined unless it did. */
  failure: Failure | undefined;
  /** The connection was broken at some time since it began. */
  #connectionBroke: boolean;

  constructor(
    nc: NatsConnection,
    inbox: Inbox,
    batches: RequestBatches,
    subject: string,
    body: Uint8Array | string,
    { timeoutMs, effect, headers = {}, byteCredit }: BusRequestOptions,
    budget: RepeatBudget,
    askAgainMs = ASK_AGAIN_MS,
  ) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#batches = batches;
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

  /** Sends it, a read again after a while, and resolves with the first answer. Rejects as `Bus.request` does. */
  send(): Promise<BusReply> {
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
      this.#timer = setTimeout(sendAgain, Math.max(1, patience), this);
      if (connected && (repeats || isFirst)) this.#sendRound();
    }
    return this.#answer.promise;
  }

  /** Sends the messages of a round; the first may travel in a batch. */
  #sendRound(): void {
    this.#rounds++;
    for (let i = Math.min(this.#rounds, MAX_AT_ONCE); i > 0 && !this.isOver; i--) {
      if (this.#asked === 0) this.#budget.earn();
      else if (!this.#budget.spend()) break;
      const reply = this.#replySubject(this.#asked++);
      this.#open++;
      if (this.#asked === 1 && this.body.length <= BATCHABLE_BYTES) this.#batches.add(this);
      else this.#publish(reply);
    }
  }

  /** The headers of its messages. */
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

  /** Publishes it as a message of its own; fails when that is not possible. */
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
      // A further answer; the sender of a long one stops.
      if (isLong) publishCancel(this.#nc, this.#inbox, reply!);
    } else if (message.subject === this.#redeliveredAt && statusOf(headers) === undefined) {
      // The replica does not have the answer, or is gone.
      this.replicaGone();
    } else if (saysNobodyIsThere(message)) {
      // After a break, services need a moment to reconnect too.
      if (!this.#connectionBroke) this.#fail('action_platform_unavailable', 'no_responders');
    } else {
      this.isOver = true;
      const status = statusOf(headers);
      // An answer without a status is a failed one.
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

  /** Fails it, and tells the replicas; their answers are ignored. */
  cancel(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = 'cancelled';
    this.#answer.reject(new ActionError(this.#failureCode));
    const { service } = this;
    if (this.#open > 0 && this.#hasLeft && this.#inbox.connected && service !== undefined) {
      tellEvent(this.#nc, this.#inbox, cancelledEvent(service), { replies: this.asked });
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
    void this.send();
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

  redeliver(subject: string, reply: string): void {
    if (this.isOver || !this.#inbox.connected || this.#redeliveries === MOST_REDELIVERIES) return;
    this.#redeliveries++;
    this.#redeliveredAt = this.#replySubject(this.#asked++);
    this.#nc.publish(subject, demandFor(reply), { reply: this.#redeliveredAt });
  }

  /** No remaining replica has the request. */
  replicaGone(): void {
    if (this.isOver) return;
    this.#open = 0;
    if (this.#isRead) void this.send();
    else this.#fail(this.#failureCode, 'replica_gone');
  }

  /** The error without a good answer: only a write that was sent may have done something. */
  get #failureCode(): ErrorCode {
    return failureOf(this.#isRead || !this.#hasLeft ? 'read' : 'write');
  }

  #fail(code: ErrorCode, failure: Failure): void {
    this.isOver = true;
    this.failure = failure;
    this.#close();
    this.#answer.reject(new ActionError(code));
  }

  /** The reply subject of one of its messages. */
  #replySubject(index: number): string {
    return index === 0 ? this.replyTo : `${this.replyTo}.${index}`;
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#inbox.close(this.replyTo);
  }
}

function sendAgain(request: PendingRequest): void {
  void request.send();
}
