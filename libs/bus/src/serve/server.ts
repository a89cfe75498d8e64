import {
  type BusUser,
  busHeaders,
  type Survey,
  type SurveyAnswer,
  surveyEvent,
} from '@action-platform/contracts';
import { contextOf, isInTrace, ROOT_CONTEXT } from '@action-platform/telemetry';
import type { Subscription } from '@nats-io/transport-node';
import { context, type Span, trace } from '@opentelemetry/api';
import type { z } from 'zod';
import { Answers, FAILED } from '../batches/answers.ts';
import type { Connection } from '../connection.ts';
import { OwnReplica } from '../failover/own-replica.ts';
import { type Headers, ReceivedMessage } from '../headers.ts';
import type { Incoming } from '../incoming.ts';
import { listen } from '../listen.ts';
import { CHUNK_BYTES } from '../long-answers/protocol.ts';
import { inChunks, sendChunks } from '../long-answers/send.ts';
import { parsed } from '../parsed.ts';
import { noteError, noteStatus, responderSpan, tracer } from '../spans.ts';

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

/** Answers one request. It must not throw: every outcome, failures too, is an answer. */
export type BusHandler = (request: BusRequest) => Promise<BusAnswer>;

/** The serving half of a bus connection. */
export class BusServer {
  readonly #connection: Connection;
  readonly #user: BusUser;
  readonly #subscriptions: Subscription[] = [];
  readonly #answers: Answers;
  readonly #replica: OwnReplica;
  #underWay = 0;
  /** Called when no request is under way. */
  #onIdle: (() => void) | undefined;

  constructor(connection: Connection, user: BusUser) {
    this.#connection = connection;
    this.#user = user;
    this.#answers = new Answers(connection);
    this.#replica = new OwnReplica(connection, user, this.#answers);
  }

  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#replica.join();
    const take = (message: Incoming) => {
      for (const request of this.#answers.requestsIn(message)) void this.#answer(request, handler);
    };
    this.#subscriptions.push(listen(this.#connection, subject, take, queue));
  }

  /** Answers a survey for this replica. */
  answerSurvey<Answer extends SurveyAnswer, Body extends z.ZodObject>(
    survey: Survey<Answer, Body>,
    answer: (question: z.output<Body>) => Promise<z.input<Answer>>,
  ): void {
    const service = survey.subscribers.find((each) => each === this.#user);
    if (service === undefined) return;
    this.#replica.join();
    const take = async ({ reply, data }: Incoming) => {
      const question = survey.body.parse(parsed(data));
      this.#connection.publish(reply!, JSON.stringify(await answer(question)));
    };
    // A replica that cannot answer, or does not understand the question, stays silent.
    listen(
      this.#connection,
      surveyEvent(survey, service).subject,
      (message) => void take(message).catch(() => {}),
    );
  }

  connectionRegained(): void {
    this.#replica.connectionRegained();
  }

  /** The NATS server refused a message on a subject. */
  refused(subject: string): void {
    this.#replica.refused(subject);
  }

  /** Sends the answers of this tick now. */
  flush(): void {
    this.#answers.flush();
  }

  /** Takes no more requests, and resolves when all taken are answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.splice(0).map((subscription) => subscription.drain()));
    if (this.#underWay > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onIdle = resolve;
      await promise;
    }
    this.#answers.flush();
    this.#replica.leave();
  }

  /** Answers a request, in a span when telemetry is on. Never rejects. */
  async #answer(message: Incoming, handler: BusHandler): Promise<void> {
    this.#underWay++;
    const request = new ReceivedRequest(message);
    const replyTo = message.reply!;
    this.#replica.begin(replyTo, request.left);
    const parent = contextOf(request.header(busHeaders.traceparent));
    const { name, options } = responderSpan(message.subject);
    const span = tracer.startSpan(name, options, parent);
    try {
      if (isInTrace(span.spanContext())) {
        const within = trace.setSpan(ROOT_CONTEXT, span);
        await context.with(within, this.#run, this, request, replyTo, handler, span);
      } else {
        await this.#run(request, replyTo, handler, span);
      }
    } catch (error) {
      // The requester has its failed answer, or noticed the lost connection.
      noteError(span, error);
    }
    span.end();
    this.#replica.end(replyTo);
    this.#answers.forget(replyTo);
    if (--this.#underWay === 0) this.#onIdle?.();
  }

  /** Runs the handler and sends its answer; rejects when that failed, after a failed answer. */
  async #run(request: BusRequest, replyTo: string, handler: BusHandler, span: Span): Promise<void> {
    let headers: Headers;
    let body: BusAnswer['body'] | undefined;
    try {
      const answer = await handler(request);
      body = answer.body;
      headers = { ...answer.headers, [busHeaders.status]: String(answer.status) };
      noteStatus(span, answer.status, answer.headers?.[busHeaders.errorCode] ?? '');
      if (body instanceof Uint8Array && body.length <= CHUNK_BYTES) {
        this.#replica.answer(replyTo, { body, headers });
        return;
      }
    } catch (error) {
      if (body !== undefined && !(body instanceof Uint8Array)) await body.return?.();
      this.#replica.answer(replyTo, FAILED);
      throw error;
    }
    const chunks = inChunks(body);
    const subject = this.#replica.longAnswerSubject(replyTo);
    await sendChunks(this.#connection, this.#answers, subject, headers, chunks);
  }
}

class ReceivedRequest extends ReceivedMessage implements BusRequest {
  readonly left = new AbortController();

  get signal(): AbortSignal {
    return this.left.signal;
  }
}
