import { setTimeout as delay } from 'node:timers/promises';
import {
  askersOf,
  busHeaders,
  type Event,
  inboxPrefix,
  type Survey,
  type SurveyAnswer,
  services,
  timeouts,
} from '@action-platform/contracts';
import { counts, thrownType, toTraceparent } from '@action-platform/telemetry';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { type Span, trace } from '@opentelemetry/api';
import type { z } from 'zod';
import { RequestBatches } from './batches/requests.ts';
import { type BusOptions, connectToServer } from './connection.ts';
import { hearEvent, tellEvent } from './events.ts';
import { Attendance, type Sighting } from './failover/attendance.ts';
import { Replicas } from './failover/replicas.ts';
import type { Headers } from './headers.ts';
import { Inbox } from './inbox.ts';
import { Handshakes } from './nats-internals.ts';
import type { BusRequestOptions } from './request/options.ts';
import { PendingRequest } from './request/pending-request.ts';
import { RepeatBudget } from './request/repeat-budget.ts';
import type { BusReply } from './request/reply.ts';
import { type BusHandler, BusServer } from './serve/server.ts';
import { askingOn, codeOf, errorTypeOf, measureAsking, noteFailure, noteStatus, tracer } from './spans.ts';
import { ask, type SurveyOptions } from './survey.ts';

const reconnected = counts('bus.reconnects');

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
  readonly #requests: RequestBatches;
  readonly #attendance: Attendance;
  readonly #askAgainMs: number | undefined;
  readonly #budget = new RepeatBudget();

  constructor(nc: NatsConnection, { user, onEvent, askAgainMs }: BusOptions) {
    this.#nc = nc;
    this.#inbox = new Inbox(nc, inboxPrefix(user));
    this.#server = new BusServer(nc, this.#inbox, user);
    const asked = services.filter((service) => askersOf(service).includes(user));
    this.#replicas = new Replicas(nc, this.#inbox, asked);
    this.#requests = new RequestBatches(nc, this.#inbox, (service) => this.#replicas.takeBatches(service));
    this.#attendance = new Attendance(nc, user, (name, said) => this.#replicas.hear(name, said));
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
    if (trace.getActiveSpan() === undefined) return this.#ask(subject, body, options);
    const { name, options: described } = askingOn(subject);
    return this.#ask(subject, body, options, tracer.startSpan(name, described));
  }

  /** Serves a subject; the members of a queue group share its requests. */
  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#server.serve(subject, queue, handler);
  }

  /** Answers a survey for this replica; one that cannot be answered is not. */
  answerSurvey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    answer: () => Promise<z.input<Answer>>,
  ): void {
    this.#server.answerSurvey(survey, answer);
  }

  /** Asks every replica, and resolves with what they have answered when that is complete or the time is up. */
  survey<Answer extends SurveyAnswer>(
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

  /** Tells an event to every replica of those who hear it; while the connection is broken it is told to nobody. */
  tell<Body extends z.ZodObject>(event: Event<Body>, body: z.input<Body>): void {
    tellEvent(this.#nc, this.#inbox, event, body);
  }

  /** Hears an event, also what this process tells itself; a message that is not what the event declares is left alone. */
  hear<Body extends z.ZodObject>(event: Event<Body>, heard: (body: z.output<Body>) => void): void {
    hearEvent(this.#nc, event, heard);
  }

  /**
   * Resolves once the NATS server knows of everything asked of it so far; after a break when the connection is there again. Rejects
   * when it is closed.
   */
  async flush(): Promise<void> {
    for (;;) {
      try {
        this.#requests.flush();
        this.#server.flush();
        await this.#nc.flush();
        return;
      } catch (error) {
        if (this.#nc.isClosed()) throw error;
        await delay(timeouts.busReconnectWait);
      }
    }
  }

  /** Takes no more requests, finishes those it has, and closes the connection. Nothing taken is lost. */
  async drain(): Promise<void> {
    this.#requests.flush();
    await this.#server.drain();
    this.#replicas.stop();
    if (this.#nc.isClosed()) return;
    // When the connection breaks meanwhile, there is nobody to be told that.
    if (this.connected) await this.#nc.flush().catch(() => {});
    await this.#nc.close();
  }

  /** Makes a request, in a span of its own which is the parent of what it comes to, if there is one. */
  async #ask(
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    span?: Span,
  ): Promise<BusReply> {
    const askedAt = performance.now();
    const pending = new PendingRequest(
      this.#nc,
      this.#inbox,
      this.#requests,
      subject,
      body,
      span === undefined ? options : { ...options, headers: headersIn(span, options.headers) },
      this.#budget,
      this.#askAgainMs,
    );
    options.whenAbandoned?.(() => pending.cancel());
    try {
      const reply = await pending.send();
      const code = codeOf(reply);
      const error = errorTypeOf(reply.status, code);
      measureAsking(subject, performance.now() - askedAt, error);
      if (span !== undefined) noteStatus(span, reply.status, code);
      return reply;
    } catch (error) {
      measureAsking(subject, performance.now() - askedAt, thrownType(error));
      if (span !== undefined) noteFailure(span, error, pending.failure);
      throw error;
    } finally {
      span?.end();
    }
  }

  async #follow(onEvent: BusOptions['onEvent']): Promise<void> {
    const handshakes = new Handshakes(this.#nc);
    for await (const status of this.#nc.status()) {
      handshakes.hear(status);
      if (status.type === 'disconnect') {
        this.#inbox.connectionLost();
        onEvent?.({ level: 'warn', message: 'lost the connection to the NATS server; reconnecting' });
      } else if (status.type === 'reconnect') {
        this.#inbox.connectionRegained();
        this.#server.connectionRegained();
        reconnected(1);
        onEvent?.({ level: 'info', message: 'reconnected to the NATS server' });
      } else if (status.type === 'error') {
        const { error } = status;
        if (error instanceof errors.PermissionViolationError && error.operation === 'publish')
          this.#server.refused(error.subject);
        onEvent?.({ level: 'warn', message: `the NATS server reports: ${error.message}` });
      }
    }
    this.#inbox.connectionLost();
  }
}

/** The headers of a request that is made in a span. One that is not recorded leaves the caller's `traceparent`, if there is one, as it is. */
function headersIn(span: Span, headers: Headers | undefined): Headers | undefined {
  if (!span.isRecording() && headers?.[busHeaders.traceparent] !== undefined) return headers;
  return { ...headers, [busHeaders.traceparent]: toTraceparent(span.spanContext()) };
}
