/*
 * The life of an answer at the replica that gives it.
 *
 *   state      begins when                               a message about the request (`replicas/protocol.ts`) has this effect
 *   received   the request arrives, alone or in a batch
 *   begun      the handler runs                          `reconcile`: the replica says that it has the request
 *                                                        `redeliver`: the answer goes to the new reply subject
 *                                                        a cancellation: aborts the signal of the handler, which answers all the same
 *   answered   the answer leaves at once, or at the end  `reconcile`: the replica says that it does not have the request
 *              of the tick with others to the same batch
 *   kept       at the same time                          `redeliver`: the answer leaves again (`replicas/recent-answers.ts`)
 *
 * Of a long answer, the first message has this life, and the replica keeps a failed answer instead; `long-answers/send.ts` sends the rest.
 */
import { busHeaders } from '@action-platform/contracts/bus';
import { busUsers } from '@action-platform/contracts/services';
import { contextOf, isInTrace, ROOT_CONTEXT } from '@action-platform/telemetry';
import { context, type Span, trace } from '@opentelemetry/api';
import { sendChunks } from './long-answers/send.ts';
import type { Connection } from './nats/connection.ts';
import { batchHeaders, toMessageHeaders } from './nats/headers.ts';
import { listen } from './nats/listen.ts';
import { RecentAnswers } from './replicas/recent-answers.ts';
import type { OwnAnswers } from './replicas/self.ts';
import { noteError, noteStatus, responderSpan, tracer } from './telemetry/spans.ts';
import {
  BATCHABLE_BYTES,
  type BatchItem,
  decodeBatch,
  encodeBatch,
  inBatches,
  isBatch,
  toBatchItem,
} from './wire/batch.ts';
import { CHUNK_BYTES, inChunks } from './wire/chunks.ts';
import { type Headers, ReceivedMessage } from './wire/headers.ts';
import type { Incoming } from './wire/incoming.ts';
import { Outbox } from './wire/outbox.ts';
import { type ReplyTo, replyToBeside, replyToOf } from './wire/reply-to.ts';
import { FAILED, type WholeAnswer } from './wire/whole-answer.ts';

/** A request as its handler sees it. */
export interface BusRequest {
  readonly subject: string;
  readonly body: Uint8Array;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
  /** Aborted when the requester has left; the handler still answers, at once. */
  readonly signal: AbortSignal;
}

/** The answer of a handler. */
export interface BusAnswer {
  /** The HTTP status that belongs to the body. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body, or its parts as they become ready. */
  readonly body: Uint8Array | AsyncIterator<Uint8Array>;
}

/** Answers one request. A `BusHandler` must not throw: every outcome, failures too, is an answer. */
export type BusHandler = (request: BusRequest) => Promise<BusAnswer>;

/** The answers of a connection to the requests that it takes. */
export class Answers implements OwnAnswers {
  readonly #connection: Connection;
  readonly #subscriptions: ReturnType<typeof listen>[] = [];
  /** The requests without an answer, by reply subject. */
  readonly #begun = new Map<string, ReceivedRequest>();
  readonly #recent = new RecentAnswers();
  /** The answers that leave at the end of the tick. */
  readonly #outbox = new Outbox<BatchItem>();
  #underWay = 0;
  /** Called when no request is under way. */
  #onIdle: (() => void) | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Serves a subject; the members of a queue group share its requests. */
  serve(subject: string, queue: string, handler: BusHandler): void {
    const take = (message: Incoming, replyTo: ReplyTo) => this.#take(message, replyTo, handler);
    this.#subscriptions.push(listen(this.#connection, subject, take, queue));
  }

  /** Takes no more requests, and resolves when all taken are answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.splice(0).map((subscription) => subscription.drain()));
    if (this.#underWay > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onIdle = resolve;
      await promise;
    }
    this.flush();
  }

  /** Takes a request, or the requests of a batch as if each had arrived alone. */
  #take(message: Incoming, replyTo: ReplyTo, handler: BusHandler): void {
    if (!isBatch(message)) {
      void this.#answer(new ReceivedRequest(message, replyTo), handler);
      return;
    }
    const requests = decodeBatch(message);
    // An empty answer fails every request of the batch.
    if (requests === undefined) this.#connection.publish(replyTo);
    for (const { subject: reply, data, headers } of requests ?? []) {
      const own = replyToBeside(replyTo, reply);
      if (own === undefined) continue;
      const request = { subject: message.subject, data, headers };
      void this.#answer(new ReceivedRequest(request, own, replyTo), handler);
    }
  }

  /** Answers a request, in a span when telemetry is on. Never rejects. */
  async #answer(request: ReceivedRequest, handler: BusHandler): Promise<void> {
    this.#underWay++;
    this.#begun.set(request.replyTo, request);
    const parent = contextOf(request.header(busHeaders.traceparent));
    const { name, options } = responderSpan(request.subject);
    const span = tracer.startSpan(name, options, parent);
    try {
      if (isInTrace(span.spanContext())) {
        const within = trace.setSpan(ROOT_CONTEXT, span);
        await context.with(within, this.#run, this, request, handler, span);
      } else {
        await this.#run(request, handler, span);
      }
    } catch (error) {
      // The requester has its failed answer, or noticed the lost connection.
      noteError(span, error);
    }
    span.end();
    this.#begun.delete(request.replyTo);
    if (--this.#underWay === 0) this.#onIdle?.();
  }

  /** Runs the handler and sends its answer; rejects when that failed, after a failed answer. */
  async #run(request: ReceivedRequest, handler: BusHandler, span: Span): Promise<void> {
    let headers: Headers;
    let body: BusAnswer['body'] | undefined;
    try {
      const answer = await handler(request);
      body = answer.body;
      headers = { ...answer.headers, [busHeaders.status]: String(answer.status) };
      noteStatus(span, answer.status, answer.headers?.[busHeaders.errorCode] ?? '');
      if (body instanceof Uint8Array && body.length <= CHUNK_BYTES) {
        this.#sendAndKeep(request, { body, headers });
        return;
      }
    } catch (error) {
      if (body !== undefined && !(body instanceof Uint8Array)) await body.return?.();
      this.#sendAndKeep(request, FAILED);
      throw error;
    }
    this.#recent.keep(request.answerTo, FAILED);
    const sendFirst = (chunk: WholeAnswer, credits?: ReplyTo) => this.#send(request, chunk, credits);
    await sendChunks(this.#connection, request.answerTo, sendFirst, headers, inChunks(body));
  }

  #sendAndKeep(request: ReceivedRequest, answer: WholeAnswer): void {
    this.#send(request, answer);
    this.#recent.keep(request.answerTo, answer);
  }

  /**
   * Sends an answer, at the end of the tick when it may go with others. Throws when it is too large.
   *
   * @param credits the subject that takes credits for the rest of a long answer.
   */
  #send(request: ReceivedRequest, { headers, body }: WholeAnswer, credits?: ReplyTo): void {
    const { batch, answerTo } = request;
    if (batch === undefined) {
      this.#connection.publish(answerTo, body, { headers: toMessageHeaders(headers), reply: credits });
      return;
    }
    const item = toBatchItem(answerTo, headers, body);
    if (credits !== undefined || body.length > BATCHABLE_BYTES) {
      this.#connection.publish(batch, encodeBatch([item]), { headers: batchHeaders, reply: credits });
    } else if (this.#outbox.add(batch, item)) {
      setImmediate(() => this.flush());
    }
  }

  /** Sends the answers of this tick now. While the connection is broken, redelivery brings them to their callers. */
  flush(): void {
    for (const [batch, answers] of this.#outbox.take()) {
      for (const together of inBatches(answers)) {
        this.#connection.publish(batch, encodeBatch(together), { headers: batchHeaders });
      }
    }
  }

  isUnderWay(reply: string): boolean {
    return this.#begun.has(reply);
  }

  cancel(reply: string): void {
    this.#begun.get(reply)?.caller.abort();
  }

  redeliver(reply: string, replyTo: ReplyTo): void {
    // The answer may be a secret, so it leaves only to the connection that sent the request.
    if (replyToBeside(replyTo, reply) === undefined) return;
    const answer = this.#recent.get(reply);
    const begun = this.#begun.get(reply);
    if (answer === undefined && begun !== undefined) {
      begun.redirect(replyTo);
      return;
    }
    const { body, headers } = answer ?? FAILED;
    this.#connection.publish(replyTo, body, { headers: toMessageHeaders(headers) });
    if (answer !== undefined) this.#recent.keep(replyTo, answer);
  }

  missing(): string[] {
    return this.#recent.subjects(this.#begun.keys());
  }

  refusedAt(subject: string): string[] {
    if (this.#recent.get(subject) !== undefined) return [subject];
    // The subject may be that of a batch: `#recent` has the answers by their own.
    return replyToOf(busUsers, subject) === undefined ? [] : this.#recent.subjects();
  }
}

/** A request that has no answer yet. */
class ReceivedRequest extends ReceivedMessage implements BusRequest {
  readonly replyTo: ReplyTo;
  /** The subject for the answer. */
  answerTo: ReplyTo;
  /** The reply subject of the batch in which the request came, and the answer may leave. */
  batch: ReplyTo | undefined;
  /** Aborted when the caller has left. */
  readonly caller = new AbortController();

  constructor(message: Incoming, replyTo: ReplyTo, batch?: ReplyTo) {
    super(message);
    this.replyTo = replyTo;
    this.answerTo = replyTo;
    this.batch = batch;
  }

  get signal(): AbortSignal {
    return this.caller.signal;
  }

  /** Sends the answer, once it is there, to the reply subject of a redelivery. */
  redirect(replyTo: ReplyTo): void {
    this.answerTo = replyTo;
    this.batch = undefined;
  }
}
