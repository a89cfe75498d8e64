import { busHeaders, cancelledEvent, type ServiceName, serviceOfSubject } from '@action-platform/contracts';
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
import { RequestState } from './request-state.ts';

/** The most redeliveries of one answer. */
const MOST_REDELIVERIES = 5;

/** A request and its messages. It is sent once; a read (`PendingRead`) is sent again. */
export class PendingRequest extends RequestState implements InFlight, Outgoing {
  readonly subject: string;
  batch: string | undefined;
  /** How many messages were made, and how many of them have no answer. */
  #messages = 0;
  #open = 0;
  /** The reply subject of the last redelivery, and how many there were. */
  #redeliveredAt: string | undefined;
  #redeliveries = 0;
  /** The connection was broken at some time since it began. */
  #connectionBroke: boolean;

  constructor(
    connection: Connection,
    batches: RequestBatches,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
  ) {
    super(connection, batches, body, options);
    this.subject = subject;
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

  protected unanswered(failure: Failure): void {
    this.fail(failure);
  }

  /** Sends a message; the first may travel in a batch. */
  protected sendMessage(): void {
    const reply = this.#nextReplySubject();
    this.#open++;
    if (this.#messages === 1 && this.body.length <= BATCHABLE_BYTES) this.batches.add(this);
    else this.#publish(reply);
  }

  /** The headers of its messages. */
  get headers(): Headers {
    return { ...this.options.headers, [busHeaders.timeoutMs]: String(Math.ceil(this.timeLeft)) };
  }

  sendAlone(): void {
    this.#publish(this.replyTo);
  }

  sentIn(batch: string): void {
    this.sent();
    this.batch = batch;
  }

  /** Publishes it as a message of its own; fails when that is not possible. */
  #publish(reply: string): void {
    this.sent();
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
      if (isLong) publishCancel(this.connection, reply!);
    } else if (message.subject === this.#redeliveredAt && statusOf(headers) === undefined) {
      // The replica does not have the answer, or has left.
      this.replicaLost();
    } else if (isNoResponders(message)) {
      // After a break, services need a moment to reconnect too.
      if (!this.#connectionBroke) this.fail('no_responders', 'action_platform_unavailable');
    } else {
      const status = statusOf(headers);
      // An answer without a status is a failed one.
      if (status === undefined || hasMore !== isLong) this.reject('broken_answer');
      else this.settle(new Reply(message, status, isLong ? this.#chunks(reply!) : undefined));
    }
    if (this.isOver && this.#open <= 0) this.close();
  }

  /** The further chunks of a long answer. @param credits the subject of its credits */
  #chunks(credits: string): AsyncGenerator<Uint8Array> {
    const sender = { service: this.service, credits };
    return receiveChunks(this.connection, sender, this.failureCode, this.options.byteCredit);
  }

  /** Fails it, and publishes a cancellation to the replicas; their answers are ignored. */
  cancel(): void {
    if (this.isOver) return;
    const { service } = this;
    const isUnderWay = this.waitsSince !== undefined && this.#open > 0 && this.connection.isConnected;
    this.reject('cancelled');
    if (isUnderWay && service !== undefined)
      publishEvent(this.connection, cancelledEvent(service), { replies: this.replySubjects });
    else this.close();
  }

  lost(): void {
    this.#connectionBroke = true;
    this.#open = 0;
    if (this.isOver) this.close();
    else this.unanswered('connection_lost');
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
    this.#redeliveredAt = this.#nextReplySubject();
    this.connection.publish(subject, encodeRedelivery(reply), { reply: this.#redeliveredAt });
  }

  /** No remaining replica has the request. */
  replicaLost(): void {
    if (this.isOver) return;
    this.#open = 0;
    this.unanswered('replica_lost');
  }

  #nextReplySubject(): string {
    return this.#replySubject(this.#messages++);
  }

  /** The reply subject of one of its messages. */
  #replySubject(index: number): string {
    return index === 0 ? this.replyTo : `${this.replyTo}.${index}`;
  }
}
