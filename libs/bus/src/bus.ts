import { ActionError, askersOf, inboxPrefix, type Survey, services } from '@action-platform/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { z } from 'zod';
import { type BusOptions, connectToServer } from './connection.ts';
import { Handshakes } from './handshake.ts';
import { withTraceContext } from './headers.ts';
import { Inbox } from './inbox.ts';
import { type BusReply, type BusRequestOptions, Question } from './question.ts';
import { RepeatBudget } from './repeat-budget.ts';
import { Attendance, type Sighting } from './replicas/attendance.ts';
import { Replicas } from './replicas/replicas.ts';
import { type BusHandler, BusServer } from './server.ts';
import { ask, type SurveyOptions } from './survey.ts';

const tracer = trace.getTracer('@action-platform/bus');

/** Connects to the bus; waits for a NATS server that is not up yet. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return new Bus(await connectToServer(options), options);
}

/** A connection to the bus: makes requests and serves them. */
export class Bus {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #server: BusServer;
  readonly #replicas: Replicas;
  readonly #attendance: Attendance;
  readonly #askAgainMs: number | undefined;
  readonly #budget = new RepeatBudget();

  constructor(nc: NatsConnection, { user, onEvent, askAgainMs }: BusOptions) {
    this.#nc = nc;
    this.#inbox = new Inbox(nc, inboxPrefix(user));
    this.#server = new BusServer(nc, this.#inbox, user);
    const asked = services.filter((service) => askersOf(service).includes(user));
    this.#replicas = new Replicas(nc, this.#inbox, asked);
    this.#attendance = new Attendance(nc, user, (...told) => this.#replicas.hear(...told));
    this.#askAgainMs = askAgainMs;
    void this.#follow(onEvent);
  }

  /** False while the connection is broken; it is being re-established all the time. */
  get connected(): boolean {
    return this.#inbox.connected;
  }

  /**
   * Sends a request and waits for its answer to begin. One that may change something is sent once. For one that only
   * reads (`effect`), other replicas are asked too while none answers, and again after a reconnect; the first answer
   * wins. Throws ActionError:
   * - `request_body_too_large` when it is larger than the NATS server takes: nothing was done;
   * - `action_platform_unavailable` when nothing was sent, or nobody serves the subject: nothing was done; of a read
   *   also when the answer did not come in time or failed;
   * - `action_infrastructure_failure` when the answer to a write did not come in time, failed, or the connection broke
   *   after it was sent: the outcome is unknown.
   */
  request(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    if (trace.getActiveSpan() !== undefined) return this.#requestInSpan(subject, body, options);
    return this.#ask(subject, body, options);
  }

  /** Serves a subject; the members of a queue group share its requests. */
  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#server.serve(subject, queue, handler);
  }

  /** Answers a survey for this replica; one that cannot be answered is not. */
  answerSurvey<Answer extends z.ZodObject>(
    survey: Survey<Answer>,
    answer: () => Promise<z.input<Answer>>,
  ): void {
    this.#server.answerSurvey(survey, answer);
  }

  /** Asks every replica, and resolves with what they have answered when that is complete or the time is up. */
  survey<Answer extends z.ZodObject>(
    survey: Survey<Answer>,
    options: SurveyOptions<z.output<Answer>>,
  ): Promise<z.output<Answer>[]> {
    return ask(this.#nc, this.#inbox, survey, options);
  }

  /** What names this connection: of a process of the platform, the id of the replica. */
  get replica(): string {
    return this.#inbox.connection;
  }

  /** The replicas of others that were heard lately and have not left. */
  get heardOf(): readonly Sighting[] {
    return this.#attendance.list();
  }

  /** Resolves once the NATS server knows of everything asked of it so far; rejects when it does not answer. */
  async flush(): Promise<void> {
    await this.#nc.flush();
  }

  /** Takes no more requests, finishes those it has, and closes the connection. Nothing taken is lost. */
  async drain(): Promise<void> {
    await this.#server.drain();
    this.#replicas.stop();
    if (this.#nc.isClosed()) return;
    if (this.connected) await this.#nc.flush();
    await this.#nc.close();
  }

  #ask(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    const question = new Question(
      this.#nc,
      this.#inbox,
      subject,
      body,
      options,
      this.#budget,
      this.#askAgainMs,
    );
    options.whenAbandoned?.(() => question.withdraw());
    return question.ask();
  }

  /** Makes a request in a span of its own, which is the parent of what it comes to. */
  #requestInSpan(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    return tracer.startActiveSpan(`${subject} request`, { kind: SpanKind.CLIENT }, async (span) => {
      try {
        // A span that is not recorded leaves the caller's `traceparent`, if there is one, as it is.
        const headers =
          span.isRecording() || options.headers?.traceparent === undefined
            ? withTraceContext(options.headers)
            : options.headers;
        return await this.#ask(subject, body, { ...options, headers });
      } catch (error) {
        const message = error instanceof ActionError ? error.code : 'failed';
        span.setStatus({ code: SpanStatusCode.ERROR, message });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  async #follow(onEvent: BusOptions['onEvent']): Promise<void> {
    const handshakes = new Handshakes(this.#nc);
    for await (const status of this.#nc.status()) {
      handshakes.hear(status);
      if (status.type === 'disconnect') {
        this.#inbox.connectionLost();
        onEvent?.({ level: 'warn', message: 'lost the connection to the NATS server; reconnecting' });
      } else if (status.type === 'reconnect') {
        this.#server.connectionRegained();
        this.#inbox.connectionRegained();
        onEvent?.({ level: 'info', message: 'reconnected to the NATS server' });
      } else if (status.type === 'error') {
        onEvent?.({ level: 'warn', message: `the NATS server reports: ${status.error.message}` });
      }
    }
    this.#inbox.connectionLost();
  }
}
