import {
  ActionError,
  busHeaders,
  cancelledEvent,
  type ErrorCode,
  failureOf,
  type ServiceName,
  serviceOfSubject,
} from '@action-platform/contracts';
import { BATCHABLE_BYTES } from '../batches/batch.ts';
import type { Outgoing, RequestBatches } from '../batches/requests.ts';
import { type Connection, isCreditSubject } from '../connection.ts';
import { publishEvent } from '../events.ts';
import type { InFlight } from '../failover/in-flight.ts';
import { encodeRedelivery } from '../failover/redelivery.ts';
import { type Headers, statusOf, toMessageHeaders } from '../headers.ts';
import { type Incoming, isNoResponders } from '../incoming.ts';
import { publishCancel } from '../long-answers/protocol.ts';
import { receiveChunks } from '../long-answers/receive.ts';
import type { Failure } from '../spans.ts';
import type { BusRequestOptions } from './options.ts';
import { type BusReply, Reply } from './reply.ts';

/** The most redeliveries of one answer. */
const MOST_REDELIVERIES = 5;

/** A request that waits for its answer. It is sent once; a read (`PendingRead`) is sent again. */
export class PendingRequest implements InFlight, Outgoing {
  protected readonly connection: Connection;
  readonly #batches: RequestBatches;
  readonly subject: string;
  body: Uint8Array | string;
  readonly #options: BusRequestOptions;
  readonly #answer = Promise.withResolvers<BusReply>();
  readonly replyTo: string;
  readonly #begunAt = performance.now();
  batch: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How many messages were made, and how many of them have no answer. */
  #messages = 0;
  #open = 0;
  /** A message was sent, and does not wait for the end of the turn. */
  #hasLeft = false;
  /** The reply subject of the last redelivery, and how many there were. */
  #redeliveredAt: string | undefined;
  #redeliveries = 0;
  /** It has its answer, failed or was cancelled. */
  isOver = false;
  /** Why it failed; undefined unless it did. */
  failure: Failure | undefined;
  /** The connection was broken at some time since it began. */
  #connectionBroke: boolean;

  constructor(
    connection: Connection,
    batches: RequestBatches,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
  ) {
    this.connection = connection;
    this.#batches = batches;
    this.subject = subject;
    this.body = body;
    this.#options = options;
    this.replyTo = connection.open(this);
    batches.open++;
    this.#connectionBroke = !connection.isConnected;
  }

  /** Sends it, and resolves with the first answer. Rejects as `Bus.request` does. */
  send(): Promise<BusReply> {
    if (this.isOver) return this.answer;
    if (this.connection.isConnected) {
      // It is sent however little time is left: its service decides by that whether to begin.
      this.wait(this.timeLeft);
      this.sendMessage();
    } else {
      this.fail('connection_lost');
    }
    return this.answer;
  }

  /** No message that was sent will have an answer in time. */
  protected unanswered(failure: Failure): void {
    this.fail(failure);
  }

  protected get answer(): Promise<BusReply> {
    return this.#answer.promise;
  }

  /** How long it may still wait, in milliseconds. */
  protected get timeLeft(): number {
    return this.#begunAt + this.#options.timeoutMs - performance.now();
  }

  /** Sets how long it waits from now, in milliseconds. */
  protected wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#timeUp(), Math.max(1, ms));
  }

  /** The time to wait is over. A request that is over stays open until its deadline: the senders of further long answers are to stop. */
  #timeUp(): void {
    const left = this.timeLeft;
    if (this.isOver && left >= 1) this.wait(left);
    else this.unanswered('timeout');
  }

  /** Sends a message; the first may travel in a batch. */
  protected sendMessage(): void {
    const reply = this.#replySubject(this.#messages++);
    this.#open++;
    if (this.#messages === 1 && this.body.length <= BATCHABLE_BYTES) this.#batches.add(this);
    else this.#publish(reply);
  }

  /** The headers of its messages. */
  get headers(): Headers {
    return { ...this.#options.headers, [busHeaders.timeoutMs]: String(Math.ceil(this.timeLeft)) };
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
      this.connection.publish(this.subject, this.body, { reply, headers });
    } catch {
      // The client compares with `max_payload` before it sends anything; its error does not say so in its type.
      const bytes = Buffer.byteLength(this.body) + Buffer.byteLength(String(headers));
      const isTooLarge = bytes > this.connection.largestMessage;
      this.fail('not_sent', isTooLarge ? 'request_body_too_large' : 'action_platform_unavailable');
    }
  }

  receive(message: Incoming): void {
    const { headers, reply } = message;
    const hasMore = headers?.has(busHeaders.more) === true;
    const isLong = hasMore && isCreditSubject(this.subject, reply);
    this.#open--;
    if (this.isOver) {
      // A further answer; the sender of a long one stops.
      if (isLong) publishCancel(this.connection, reply!);
    } else if (message.subject === this.#redeliveredAt && statusOf(headers) === undefined) {
      // The replica does not have the answer, or has left.
      this.replicaLost();
    } else if (isNoResponders(message)) {
      // After a break, services need a moment to reconnect too.
      if (!this.#connectionBroke) this.fail('no_responders', 'action_platform_unavailable');
    } else {
      this.#end();
      const status = statusOf(headers);
      // An answer without a status is a failed one.
      if (status === undefined || hasMore !== isLong) this.#reject('broken_answer');
      else this.#answer.resolve(new Reply(message, status, isLong ? this.#chunks(reply!) : undefined));
    }
    if (this.isOver && this.#open <= 0) this.#close();
  }

  /** The further chunks of a long answer. @param credits the subject of its credits */
  #chunks(credits: string): AsyncGenerator<Uint8Array> {
    const sender = { service: this.service, credits };
    return receiveChunks(this.connection, sender, this.#failureCode, this.#options.byteCredit);
  }

  /** Fails it, and publishes a cancellation to the replicas; their answers are ignored. */
  cancel(): void {
    if (this.isOver) return;
    this.#end();
    this.#reject('cancelled');
    const { service } = this;
    if (this.#open > 0 && this.#hasLeft && this.connection.isConnected && service !== undefined) {
      publishEvent(this.connection, cancelledEvent(service), { replies: this.replySubjects });
    } else {
      this.#close();
    }
  }

  lost(): void {
    this.#connectionBroke = true;
    this.#open = 0;
    if (this.isOver) this.#close();
    else this.unanswered('connection_lost');
  }

  get waitsSince(): number | undefined {
    return this.isOver || !this.#hasLeft ? undefined : this.#begunAt;
  }

  get service(): ServiceName | undefined {
    return serviceOfSubject(this.subject);
  }

  get replySubjects(): string[] {
    return Array.from({ length: this.#messages }, (_, index) => this.#replySubject(index));
  }

  redeliver(subject: string, reply: string): void {
    if (this.isOver || !this.connection.isConnected || this.#redeliveries === MOST_REDELIVERIES) return;
    this.#redeliveries++;
    this.#redeliveredAt = this.#replySubject(this.#messages++);
    this.connection.publish(subject, encodeRedelivery(reply), { reply: this.#redeliveredAt });
  }

  /** No remaining replica has the request. */
  replicaLost(): void {
    if (this.isOver) return;
    this.#open = 0;
    this.unanswered('replica_lost');
  }

  /** Fails; by default with the error of a request whose outcome is unknown, if it was sent. */
  protected fail(failure: Failure, code?: ErrorCode): void {
    this.#end();
    this.#close();
    this.#reject(failure, code);
  }

  /** It has its outcome, and needs its body no more, though further answers to it may come. */
  #end(): void {
    this.isOver = true;
    this.body = '';
  }

  #reject(failure: Failure, code = this.#failureCode): void {
    this.failure = failure;
    this.#answer.reject(new ActionError(code));
  }

  /** The error without a good answer: only a write that was sent may have done something. */
  get #failureCode(): ErrorCode {
    return failureOf(this.#hasLeft ? (this.#options.effect ?? 'write') : 'read');
  }

  /** The reply subject of one of its messages. */
  #replySubject(index: number): string {
    return index === 0 ? this.replyTo : `${this.replyTo}.${index}`;
  }

  #close(): void {
    clearTimeout(this.#timer);
    if (this.connection.close(this.replyTo)) this.#batches.open--;
  }
}
