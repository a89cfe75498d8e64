import {
  type BusUser,
  busHeaders,
  busUsers,
  isService,
  mayPublish,
  replicaSubject,
  type ServiceName,
  type Survey,
  type SurveyAnswer,
  surveyEvent,
  withdrawnEvent,
} from '@action-platform/contracts';
import { contextOf, isInTrace, ROOT_CONTEXT } from '@action-platform/telemetry';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { context, type Span, trace } from '@opentelemetry/api';
import type { z } from 'zod';
import { Answers, FAILED, type WholeAnswer } from './batches/answers.ts';
import { hearEvent } from './events.ts';
import { type Headers, ReceivedMessage } from './headers.ts';
import { type Inbox, inboxAt, isInInboxOf } from './inbox.ts';
import { type Incoming, incoming } from './incoming.ts';
import { CHUNK_BYTES } from './long-answers/protocol.ts';
import { inChunks, sendChunks } from './long-answers/send.ts';
import { Presence } from './replicas/presence.ts';
import { answerReconciliation } from './replicas/reconciliation.ts';
import { demanded, Undelivered } from './replicas/undelivered.ts';
import { answeringOn, noteError, noteStatus, tracer } from './spans.ts';
import { type Withdrawable, Withdrawals } from './withdrawals.ts';

/** A request as its handler sees it. */
export interface BusRequest {
  readonly subject: string;
  readonly body: Uint8Array;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
  /** Whom to tell when the requester wants no answer any more; it is to be answered all the same, and soon. */
  whenWithdrawn(told: Withdrawable): void;
}

/** What a handler answers. */
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
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #user: BusUser;
  readonly #subscriptions: Subscription[] = [];
  /** What is under way. */
  readonly #withdrawals = new Withdrawals();
  readonly #answers: Answers;
  readonly #undelivered = new Undelivered();
  #presence: Presence | undefined;
  #underWay = 0;
  /** Called when nothing is under way any more. */
  #onIdle: (() => void) | undefined;

  constructor(nc: NatsConnection, inbox: Inbox, user: BusUser) {
    this.#nc = nc;
    this.#inbox = inbox;
    this.#answers = new Answers(nc, inbox);
    this.#user = user;
  }

  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#bePresent();
    const take = (message: Incoming) => {
      for (const question of this.#answers.requestsIn(message)) void this.#answer(question, handler);
    };
    this.#subscriptions.push(this.#hear(subject, take, queue));
  }

  /** Answers a survey for this replica. */
  answerSurvey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    answer: () => Promise<z.input<Answer>>,
  ): void {
    const service = survey.subscribers.find((each) => each === this.#user);
    if (service === undefined) return;
    this.#bePresent();
    const take = async ({ reply }: Incoming) => {
      const told = JSON.stringify(await answer());
      if (this.#inbox.connected) this.#nc.publish(reply!, told);
    };
    // Who is asked and cannot answer says nothing.
    this.#hear(surveyEvent(survey, service).subject, (message) => void take(message).catch(() => {}));
  }

  /** Hears questions that are for whoever hears them in the queue group, or for this replica alone. */
  #hear(subject: string, take: (message: Incoming) => void, queue?: string): Subscription {
    const askers = busUsers.filter((user) => mayPublish(user, subject));
    return this.#nc.subscribe(subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        // Whoever wants the answer on another subject than one of their own would have us publish what they may not:
        // an operator's call, or an answer to a question that somebody else asked.
        const isTheirs = askers.some((user) => isInInboxOf(user, message.reply));
        if (error === null && isTheirs) take(incoming(message));
      },
    });
  }

  /** Says that this replica is there, once it hears what concerns each of them. */
  #bePresent(): void {
    const user = this.#user;
    if (this.#presence !== undefined || user === 'admin') return;
    if (isService(user)) this.#hearAsReplica(user);
    this.#presence = new Presence(this.#nc, this.#inbox, user);
  }

  /** What concerns each replica of a service, before it takes anything: withdrawals, liveness probes and reconciliations. */
  #hearAsReplica(service: ServiceName): void {
    hearEvent(this.#nc, withdrawnEvent(service), ({ replies }) => this.#withdrawals.withdraw(replies));
    this.#hear(replicaSubject(service, this.#inbox.connection), (message) => {
      const { data, reply } = message;
      const owed = demanded(message);
      if (owed !== undefined) {
        this.#deliver(owed, reply!);
        return;
      }
      const has = answerReconciliation(data, (replyTo) => this.#withdrawals.has(replyTo));
      if (has === undefined || !this.#inbox.connected) return;
      // What it does not have any more is answered before.
      this.#answers.flush();
      this.#nc.publish(reply!, has);
    });
  }

  /** The connection is there again. */
  connectionRegained(): void {
    // The NATS server may be another one, which has not heard the questions.
    this.#presence?.return(this.#undelivered.owed(this.#withdrawals.replies()));
  }

  /** The NATS server let nothing be published on a subject. */
  refused(subject: string): void {
    const isAnswer = this.#undelivered.get(subject) !== undefined;
    const isAnswers = !isAnswer && busUsers.some((user) => isInInboxOf(user, subject));
    if (isAnswer) this.#presence?.owe([subject]);
    else if (isAnswers) this.#presence?.owe(this.#undelivered.owed([]));
  }

  /**
   * Answers on `subject` what was to be answered on `owed`: now, when it is there, or as one that has failed when it is not known.
   * To whoever asked for it alone: it may be a secret.
   */
  #deliver(owed: string, subject: string): void {
    if (!subject.startsWith(inboxAt(owed))) return;
    const answer = this.#undelivered.get(owed);
    if (answer !== undefined) this.#publish(subject, answer);
    else if (this.#withdrawals.has(owed)) this.#undelivered.redirect(owed, subject);
    else this.#answers.fail(subject);
  }

  #publish(subject: string, answer: WholeAnswer): void {
    this.#answers.send(subject, answer);
    this.#undelivered.keep(subject, answer);
  }

  /** Sends now what was answered in this turn. */
  flush(): void {
    this.#answers.flush();
  }

  /** Stops taking requests and resolves when those taken are answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.splice(0).map((subscription) => subscription.drain()));
    if (this.#underWay > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onIdle = resolve;
      await promise;
    }
    this.#answers.flush();
    this.#presence?.leave();
  }

  /** Answers a request, in a span when telemetry is on. Never rejects. */
  async #answer(message: Incoming, handler: BusHandler): Promise<void> {
    this.#underWay++;
    const request = new ReceivedRequest(message);
    const replyTo = message.reply!;
    this.#withdrawals.add(replyTo, request);
    const parent = contextOf(request.header(busHeaders.traceparent));
    const { name, options } = answeringOn(message.subject);
    const span = tracer.startSpan(name, options, parent);
    try {
      if (isInTrace(span.spanContext())) {
        const within = trace.setSpan(ROOT_CONTEXT, span);
        await context.with(within, this.#run, this, request, replyTo, handler, span);
      } else {
        await this.#run(request, replyTo, handler, span);
      }
    } catch (error) {
      // The requester has been told, or the connection is gone and it knows.
      noteError(span, error);
    }
    span.end();
    this.#withdrawals.delete(replyTo);
    this.#undelivered.forget(replyTo);
    this.#answers.forget(replyTo);
    if (--this.#underWay === 0) this.#onIdle?.();
  }

  /** Runs the handler and sends its answer; rejects when that failed, after telling the requester. */
  async #run(request: BusRequest, replyTo: string, handler: BusHandler, span: Span): Promise<void> {
    let headers: Headers;
    let body: BusAnswer['body'] | undefined;
    try {
      const answer = await handler(request);
      body = answer.body;
      headers = { ...answer.headers, [busHeaders.status]: String(answer.status) };
      noteStatus(span, answer.status, answer.headers?.[busHeaders.errorCode] ?? '');
      if (body instanceof Uint8Array && body.length <= CHUNK_BYTES) {
        this.#publish(this.#undelivered.subjectFor(replyTo), { body, headers });
        return;
      }
    } catch (error) {
      if (body !== undefined && !(body instanceof Uint8Array)) await body.return?.();
      const failedAt = this.#undelivered.subjectFor(replyTo);
      this.#answers.fail(failedAt);
      this.#undelivered.keep(failedAt, FAILED);
      throw error;
    }
    const chunks = inChunks(body);
    const subject = this.#undelivered.subjectFor(replyTo);
    // Who asks for it, because it did not arrive, learns that it is not to be had.
    this.#undelivered.keep(subject, FAILED);
    await sendChunks(this.#nc, this.#inbox, this.#answers, subject, headers, chunks);
  }
}

class ReceivedRequest extends ReceivedMessage implements BusRequest, Withdrawable {
  #told: Withdrawable | undefined;

  whenWithdrawn(told: Withdrawable): void {
    this.#told = told;
  }

  withdraw(): void {
    this.#told?.withdraw();
  }
}
