/*
 * The life of a request at its caller.
 *
 *   state     begins when                                                if the request fails then
 *   made      its caller makes the request                               503: nothing was done
 *   sent      one of its messages leaves this process                    a write: 502, the outcome is unknown; a read: 503
 *   settled   a replica answers or refuses, or the request fails
 *   closed    each of its messages has an answer, or its time is up
 *
 *   event while made or sent                                a write      a read, which has a `Hedge`
 *   a replica answers with a status, also a refusal         settled      settled
 *   a replica answers without a status                      fails        fails
 *   the NATS server reports "no responders"                 fails, 503   fails, 503, unless a replica has another of its messages
 *   the time of the request, or of a round, is up           fails        is sent again while time and retry budget last
 *   the connection breaks, or no live replica has it        fails        is sent again
 *   its caller leaves                                       fails, and the bus cancels it at its replicas
 *
 * Cancellation. The caller publishes one message (`cancelledEvent`), which every replica of the service receives; the replica that works on
 * the request cancels it. A lost cancellation does no harm, because every request has its deadline. A cancelled request is still answered:
 * a settled request stays open for its last answer, and cancels a long answer that comes too late.
 */
import { busHeaders, cancelledEvent, serviceOfSubject } from '@action-platform/contracts/bus';
import { ActionError, type Effect, type ErrorCode, failureOf } from '@action-platform/contracts/errors';
import type { ServiceName } from '@action-platform/contracts/services';
import { type Span, trace } from '@opentelemetry/api';
import { Hedge } from './hedging/hedge.ts';
import { RetryBudgets } from './hedging/retry-budget.ts';
import { type ByteCredit, publishCancel } from './long-answers/protocol.ts';
import { receiveChunks } from './long-answers/receive.ts';
import { BusReply } from './long-answers/reply.ts';
import type { Connection } from './nats/connection.ts';
import { publishEvent } from './nats/events.ts';
import { batchHeaders, toMessageHeaders } from './nats/headers.ts';
import type { InFlight } from './replicas/in-flight.ts';
import { askReplica } from './replicas/protocol.ts';
import {
  type Failure,
  headersIn,
  recordAnswer,
  recordFailure,
  requesterSpan,
  tracer,
} from './telemetry/spans.ts';
import { BATCHABLE_BYTES, decodeBatch, encodeBatch, inBatches, toBatchItem } from './wire/batch.ts';
import { type Headers, statusOf } from './wire/headers.ts';
import { type Incoming, isNoResponders } from './wire/incoming.ts';
import { Outbox } from './wire/outbox.ts';
import { RecentlyOpen } from './wire/recently-open.ts';
import { numbered, type ReplyTo, replyToOf } from './wire/reply-to.ts';

/** How a request is sent. */
export interface BusRequestOptions {
  /** How long to wait for the answer to begin, in milliseconds. */
  timeoutMs: number;
  /** `write` by default. */
  effect?: Effect;
  headers?: Headers | undefined;
  /** Aborted when its caller leaves: the request fails at once, and the replica that works on it stops. */
  signal?: AbortSignal | undefined;
  /** Gives the bytes by which a long answer may be ahead of its consumer; without it the answer may have a full window. */
  byteCredit?: ByteCredit | undefined;
}

/**
 * From how many recent open requests on a request waits for others, and how long, in milliseconds. At 64 clients the wait halves the messages,
 * which takes 10 % off the CPU time of all processes, more than the wait adds to an answer. A few callers never wait.
 */
const BUSY_FROM = 24;
const BUSY_WAIT_MS = 1;

/** The most redeliveries of one answer. */
const MOST_REDELIVERIES = 5;

/** Makes the requests of a connection, records each, and sends those of one tick in batches (`wire/batch.ts`). */
export class Requests {
  readonly #connection: Connection;
  readonly #hedgeAfterMs: number | undefined;
  readonly #budgets = new RetryBudgets();
  readonly #outbox = new Outbox<Request>();
  /** The reply subjects of all batches begin with this. */
  readonly #batches: ReplyTo;
  #batchesSent = 0;
  readonly recentlyOpen = new RecentlyOpen();

  constructor(connection: Connection, hedgeAfterMs: number | undefined) {
    this.#connection = connection;
    this.#hedgeAfterMs = hedgeAfterMs;
    this.#batches = connection.open({ receive: (message) => this.#receiveBatch(message), lost: () => {} });
  }

  /** As `Bus.request` describes. */
  send(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    if (trace.getActiveSpan() === undefined) return this.#send(subject, body, options);
    const { name, options: described } = requesterSpan(subject);
    const span = tracer.startSpan(name, described);
    return this.#send(subject, body, { ...options, headers: headersIn(span, options.headers) }, span);
  }

  async #send(
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    span?: Span,
  ): Promise<BusReply> {
    const begunAt = performance.now();
    const budget = this.#budgets.of(subject);
    const fairnessKey = options.headers?.[busHeaders.fairnessKey];
    const hedge = options.effect === 'read' ? new Hedge(budget, fairnessKey, this.#hedgeAfterMs) : undefined;
    const request = new Request(this, this.#connection, subject, body, options, hedge);
    const { signal } = options;
    const cancel = () => request.cancel();
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
    try {
      const reply = await request.send();
      if (reply.status === 503 && reply.header(busHeaders.busy) === 'true') budget.busy(fairnessKey);
      recordAnswer(subject, performance.now() - begunAt, reply, span);
      return reply;
    } catch (error) {
      recordFailure(subject, performance.now() - begunAt, error, request.failure, span);
      throw error;
    } finally {
      // The signal may outlive the request by far, and keep its body in memory.
      signal?.removeEventListener('abort', cancel);
      span?.end();
    }
  }

  /** Sends a request with others on its subject at the end of this tick; while many requests are open, a moment later. */
  sendSoon(request: Request): void {
    if (!this.#outbox.add(request.subject, request)) return;
    if (this.recentlyOpen.count < BUSY_FROM) setImmediate(() => this.flush());
    else setTimeout(() => this.flush(), BUSY_WAIT_MS);
  }

  /** Sends now the requests that wait for others. */
  flush(): void {
    const unsent = this.#outbox.take();
    // While the connection is broken, reads wait for the next one and writes have failed.
    if (!this.#connection.isConnected) return;
    for (const together of unsent.values()) {
      const requests = together.filter(({ isSettled }) => !isSettled);
      if (requests.length === 1) requests[0]!.publish();
      else for (const batch of inBatches(requests.map(toItem))) this.#publishBatch(batch);
    }
  }

  #publishBatch(batch: readonly ReturnType<typeof toItem>[]): void {
    const [{ request: first }] = batch as [ReturnType<typeof toItem>];
    if (batch.length === 1) {
      first.publish();
      return;
    }
    const reply = numbered(this.#batches, this.#batchesSent++);
    for (const { request } of batch) request.leftIn(reply);
    this.#connection.publish(first.subject, encodeBatch(batch), { reply, headers: batchHeaders });
  }

  /** Takes an answer to a batch: answers to some of its requests, or the failure of all. */
  #receiveBatch(message: Incoming): void {
    const answers = decodeBatch(message);
    for (const answer of answers ?? []) {
      const request = this.#connection.receiverAt(answer.subject);
      // The answers to a batch count for the requests in it alone.
      if (request instanceof Request && request.batch === message.subject) request.receive(answer);
    }
    if (answers !== undefined) return;
    for (const request of this.#connection.receivers()) {
      if (!(request instanceof Request) || request.batch !== message.subject) continue;
      if (isNoResponders(message)) request.receive(message);
      else request.replicaLost();
    }
  }
}

function toItem(request: Request) {
  return { ...toBatchItem(request.replyTo, request.headers, request.body), request };
}

/** A request, from when it is made until it is closed. */
class Request implements InFlight {
  readonly subject: string;
  /** The reply subject of its first message; the reply subjects of the others begin with it. */
  readonly replyTo: ReplyTo;
  body: Uint8Array | string;
  /** The reply subject of the batch in which the first message left. */
  batch: string | undefined;
  /** Why the request failed; undefined unless it did. */
  failure: Failure | undefined;
  readonly #requests: Requests;
  readonly #connection: Connection;
  readonly #options: BusRequestOptions;
  readonly #hedge: Hedge | undefined;
  readonly #reply = Promise.withResolvers<BusReply>();
  readonly #begunAt = performance.now();
  #state: 'made' | 'sent' | 'settled' = 'made';
  #timer: NodeJS.Timeout | undefined;
  #messages = 0;
  #unansweredMessages = 0;
  #redeliveries = 0;
  /** The reply subject of the last redelivery. */
  #redeliveredAt: ReplyTo | undefined;
  /** Whether the connection was broken at some time since the request was made. */
  #connectionBroke: boolean;

  constructor(
    requests: Requests,
    connection: Connection,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    hedge: Hedge | undefined,
  ) {
    this.subject = subject;
    this.body = body;
    this.#requests = requests;
    this.#connection = connection;
    this.#options = options;
    this.#hedge = hedge;
    this.#connectionBroke = !connection.isConnected;
    this.replyTo = connection.open(this);
    requests.recentlyOpen.began(this.#begunAt);
  }

  get isSettled(): boolean {
    return this.#state === 'settled';
  }

  get waitsSince(): number | undefined {
    return this.#state === 'sent' ? this.#begunAt : undefined;
  }

  get service(): ServiceName | undefined {
    return serviceOfSubject(this.subject);
  }

  get replySubjects(): ReplyTo[] {
    return Array.from({ length: this.#messages }, (_, index) => this.#replyToOf(index));
  }

  /** The headers of a message of the request that leaves now. */
  get headers(): Headers {
    return { ...this.#options.headers, [busHeaders.timeoutMs]: String(Math.ceil(this.#timeLeft)) };
  }

  /** Sends the request, a read also again, and resolves with the first answer. Rejects as `Bus.request` does. */
  send(): Promise<BusReply> {
    if (this.isSettled) return this.#reply.promise;
    if (this.#hedge !== undefined) {
      this.#sendRound(this.#hedge);
    } else if (this.#connection.isConnected) {
      // Sends a write however little time is left: its service decides by that whether to begin.
      this.#wait(this.#timeLeft);
      this.#sendMessage();
    } else {
      this.#fail('connection_lost');
    }
    return this.#reply.promise;
  }

  /** Sends the next round of a read. While the connection is broken, a read waits a moment for the next connection. */
  #sendRound(hedge: Hedge): void {
    if (this.#timeLeft < 1) this.#fail('timeout');
    else if (this.#connection.patienceMs < 1) this.#fail('connection_lost');
    else {
      this.#waitForRound(hedge);
      if (!this.#connection.isConnected) return;
      for (let left = hedge.nextRound(); left > 0 && !this.isSettled; left--) this.#sendMessage();
    }
  }

  #waitForRound(hedge: Hedge): void {
    this.#wait(Math.min(this.#timeLeft, hedge.afterMs, this.#connection.patienceMs));
  }

  /** Sends a message; the first may be sent in a batch. */
  #sendMessage(): void {
    const reply = this.#nextReplyTo();
    this.#unansweredMessages++;
    if (reply === this.replyTo && this.body.length <= BATCHABLE_BYTES) this.#requests.sendSoon(this);
    else this.publish(reply);
  }

  /** The first message left in the batch with this reply subject. */
  leftIn(batch: ReplyTo): void {
    this.#state = 'sent';
    this.batch = batch;
  }

  /** Publishes the request in a message of its own; fails the request when that is not possible. */
  publish(reply = this.replyTo): void {
    this.#state = 'sent';
    const headers = toMessageHeaders(this.headers);
    try {
      this.#connection.publish(this.subject, this.body, { reply, headers });
    } catch {
      // The client compares with `max_payload` before it sends anything; its error does not say so in its type.
      const bytes = Buffer.byteLength(this.body) + Buffer.byteLength(String(headers));
      const isTooLarge = bytes > this.#connection.largestMessage;
      this.#fail('not_sent', isTooLarge ? 'request_body_too_large' : 'action_platform_unavailable');
    }
  }

  receive(message: Incoming): void {
    const { headers } = message;
    const hasMore = headers?.has(busHeaders.more) === true;
    const credits = hasMore ? this.#creditsIn(message) : undefined;
    this.#unansweredMessages--;
    if (this.isSettled) {
      if (credits !== undefined) publishCancel(this.#connection, credits);
    } else if (message.subject === this.#redeliveredAt && statusOf(headers) === undefined) {
      // The replica does not have the answer, or has left.
      this.replicaLost();
    } else if (isNoResponders(message)) {
      // After a break, services need a moment to reconnect too.
      const isElsewhere = this.#unansweredMessages > 0;
      if (!this.#connectionBroke && !isElsewhere) this.#fail('no_responders', 'action_platform_unavailable');
    } else {
      const status = statusOf(headers);
      if (status === undefined || hasMore !== (credits !== undefined)) {
        this.#reject('broken_answer');
      } else {
        this.#reply.resolve(new BusReply(message, status, credits && this.#furtherChunks(credits)));
        this.#settle();
      }
    }
    if (this.isSettled && this.#unansweredMessages <= 0) this.#close();
  }

  /** The subject of the credits for a long answer; undefined when it is not in the inbox of the service that was called. */
  #creditsIn({ reply }: Incoming): ReplyTo | undefined {
    const { service } = this;
    return service && replyToOf([service], reply);
  }

  #furtherChunks(credits: ReplyTo): AsyncGenerator<Uint8Array> {
    const sender = { service: this.service, credits };
    return receiveChunks(this.#connection, sender, this.#failureCode, this.#options.byteCredit);
  }

  redeliver(replica: string, reply: string): void {
    const { service } = this;
    if (this.isSettled || service === undefined || !this.#connection.isConnected) return;
    if (this.#redeliveries === MOST_REDELIVERIES) return;
    this.#redeliveries++;
    this.#redeliveredAt = this.#nextReplyTo();
    askReplica(this.#connection, service, replica, { ask: 'redeliver', reply }, this.#redeliveredAt);
  }

  /** Fails the request because its caller leaves, and publishes a cancellation to the replicas. */
  cancel(): void {
    if (this.isSettled) return;
    const { service } = this;
    const isAtReplicas =
      this.#state === 'sent' && this.#unansweredMessages > 0 && this.#connection.isConnected;
    this.#reject('cancelled');
    if (isAtReplicas && service !== undefined)
      publishEvent(this.#connection, cancelledEvent(service), { replies: this.replySubjects });
    else this.#close();
  }

  lost(): void {
    this.#connectionBroke = true;
    this.#unansweredMessages = 0;
    if (this.isSettled) this.#close();
    else this.#withoutAnswer('connection_lost');
  }

  regained(): void {
    if (this.#hedge !== undefined) void this.send();
  }

  replicaLost(): void {
    if (this.isSettled) return;
    this.#unansweredMessages = 0;
    this.#withoutAnswer('replica_lost');
  }

  #timeUp(): void {
    const left = this.#timeLeft;
    if (!this.isSettled) this.#withoutAnswer('timeout');
    else if (left >= 1) this.#wait(left);
    else this.#close();
  }

  /** No answer to the messages that were sent will come in time. */
  #withoutAnswer(failure: Failure): void {
    const hedge = this.#hedge;
    if (hedge === undefined) this.#fail(failure);
    // A busy service answers the messages that it has later.
    else if (
      failure === 'timeout' &&
      hedge.isServiceBusy &&
      this.#connection.isConnected &&
      this.#timeLeft >= 1
    )
      this.#waitForRound(hedge);
    else void this.send();
  }

  /** How long the request may still wait, in milliseconds. */
  get #timeLeft(): number {
    return this.#begunAt + this.#options.timeoutMs - performance.now();
  }

  /** Sets how long the request waits from now, in milliseconds. */
  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#timeUp(), Math.max(1, ms));
  }

  /** The error without a good answer: only a write that was sent may have done something. */
  get #failureCode(): ErrorCode {
    return failureOf(this.#state === 'made' ? 'read' : (this.#options.effect ?? 'write'));
  }

  /** Fails the request, which stays open for further answers. */
  #reject(failure: Failure, code = this.#failureCode): void {
    this.failure = failure;
    this.#reply.reject(new ActionError(code));
    this.#settle();
  }

  /** Fails the request and closes it. */
  #fail(failure: Failure, code?: ErrorCode): void {
    this.#reject(failure, code);
    this.#close();
  }

  #settle(): void {
    this.#state = 'settled';
    // Frees the body: no message follows.
    this.body = '';
  }

  #close(): void {
    clearTimeout(this.#timer);
    if (this.#connection.close(this.replyTo)) this.#requests.recentlyOpen.ended(this.#begunAt);
  }

  #nextReplyTo(): ReplyTo {
    return this.#replyToOf(this.#messages++);
  }

  /** The reply subject of a message, by its position among those of the request. */
  #replyToOf(index: number): ReplyTo {
    return index === 0 ? this.replyTo : numbered(this.replyTo, index);
  }
}
