import { setTimeout as delay } from 'node:timers/promises';
import {
  busHeaders,
  callersOf,
  type Event,
  type Survey,
  type SurveyAnswer,
  services,
  timeouts,
} from '@action-platform/contracts';
import { counts, gauge, thrownType, toTraceparent } from '@action-platform/telemetry';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { type Span, trace } from '@opentelemetry/api';
import type { z } from 'zod';
import { RequestBatches } from './batches/requests.ts';
import { type BusOptions, connectToServer } from './connect.ts';
import { Connection } from './connection.ts';
import { publishEvent, subscribeToEvent } from './events.ts';
import { Attendance, type Sighting } from './failover/attendance.ts';
import { Minority } from './failover/minority.ts';
import { Replicas } from './failover/replicas.ts';
import type { Headers } from './headers.ts';
import { Handshakes } from './nats-internals.ts';
import type { BusRequestOptions } from './request/options.ts';
import { PendingRead } from './request/pending-read.ts';
import { PendingRequest } from './request/pending-request.ts';
import type { BusReply } from './request/reply.ts';
import { RetryBudgets } from './request/retry-budget.ts';
import { type BusHandler, BusServer } from './serve/server.ts';
import {
  codeOf,
  errorTypeOf,
  measureRequest,
  noteFailure,
  noteStatus,
  requesterSpan,
  tracer,
} from './spans.ts';
import { Streams } from './streams/streams.ts';
import { ask, type SurveyOptions } from './survey.ts';

const reconnected = counts('bus.reconnects');

/** Connects to the bus; waits for a NATS server that is not up yet. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return new Bus(await connectToServer(options), options);
}

/** A connection to the bus: makes requests and serves them. */
export class Bus {
  /** The stored streams of messages. */
  readonly streams: Streams;
  readonly #nc: NatsConnection;
  readonly #connection: Connection;
  readonly #server: BusServer;
  readonly #replicas: Replicas;
  readonly #batches: RequestBatches;
  readonly #attendance: Attendance;
  readonly #hedgeAfterMs: number | undefined;
  readonly #budgets = new RetryBudgets();

  constructor(nc: NatsConnection, { user, onEvent, hedgeAfterMs }: BusOptions) {
    this.#nc = nc;
    const connection = new Connection(nc, user);
    this.#connection = connection;
    this.streams = new Streams(nc, connection, user);
    this.#server = new BusServer(connection, user);
    const called = services.filter((service) => callersOf(service).includes(user));
    this.#replicas = new Replicas(connection, called);
    this.#batches = new RequestBatches(connection);
    this.#attendance = new Attendance(connection, user, (name, announcement) =>
      this.#replicas.take(name, announcement),
    );
    this.#hedgeAfterMs = hedgeAfterMs;
    gauge('bus.connected', () => Number(this.connected));
    gauge('clock.difference', () => this.#attendance.clockDifference() / 1_000);
    void this.#follow(onEvent);
  }

  /** False while the connection is broken; it is being re-established all the time. */
  get connected(): boolean {
    return this.#connection.isConnected;
  }

  /**
   * Sends a request and waits for its answer to begin. A write is sent once. A read (`effect`) is sent to other replicas too while none
   * answers, and again after a reconnect; the first answer wins. Throws ActionError:
   * - `request_body_too_large` when it is larger than the NATS server takes: nothing was done;
   * - `action_platform_unavailable` when nothing was sent, or no replica serves the subject: nothing was done; of a read
   *   also when the answer did not come in time or failed;
   * - `action_infrastructure_failure` when the answer to a write did not come in time, failed, or the connection broke
   *   after it was sent: the outcome is unknown.
   */
  request(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    if (trace.getActiveSpan() === undefined) return this.#request(subject, body, options);
    const { name, options: described } = requesterSpan(subject);
    return this.#request(subject, body, options, tracer.startSpan(name, described));
  }

  /** Serves a subject; the members of a queue group share its requests. */
  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#server.serve(subject, queue, handler);
  }

  /** Answers a survey for this replica; when `answer` rejects, the replica stays silent. */
  answerSurvey<Answer extends SurveyAnswer, Body extends z.ZodObject>(
    survey: Survey<Answer, Body>,
    answer: (question: z.output<Body>) => Promise<z.input<Answer>>,
  ): void {
    this.#server.answerSurvey(survey, answer);
  }

  /** Sends a survey to every replica, and resolves with their answers when these are complete or the time is up. */
  survey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    options: SurveyOptions<z.output<Answer>>,
  ): Promise<z.output<Answer>[]> {
    return ask(this.#connection, survey, options);
  }

  /** The name of this connection: of a process of the platform, the id of the replica. */
  get replica(): string {
    return this.#connection.id;
  }

  /** The replicas of other processes that announced themselves lately and have not left. */
  get heardOf(): readonly Sighting[] {
    return this.#attendance.list();
  }

  /** Publishes an event to every replica of its subscribers; does nothing while the connection is broken. */
  publish<Body extends z.ZodObject>(event: Event<Body>, body: z.input<Body>): void {
    publishEvent(this.#connection, event, body);
  }

  /** Subscribes to an event, this process's own included; ignores messages that do not match its declaration. */
  subscribe<Body extends z.ZodObject>(event: Event<Body>, take: (body: z.output<Body>) => void): void {
    subscribeToEvent(this.#connection, event, take);
  }

  /**
   * Resolves once the NATS server has received all messages and subscriptions so far; after a break, once the connection is established
   * again. Rejects when it is closed.
   */
  async flush(): Promise<void> {
    for (;;) {
      try {
        this.#batches.flush();
        this.#server.flush();
        await this.#nc.flush();
        return;
      } catch (error) {
        if (this.#nc.isClosed()) throw error;
        await delay(timeouts.busReconnectWait);
      }
    }
  }

  /**
   * Takes no more requests, finishes those it has, and closes the connection. Nothing taken is lost.
   *
   * @param finish the last work with the connection.
   * @param limit when it resolves, the requests that are still under way are abandoned.
   */
  async drain(finish?: () => Promise<void>, limit?: Promise<unknown>): Promise<void> {
    this.#batches.flush();
    const drained = this.#nc.isClosed() ? undefined : this.#server.drain();
    await (limit === undefined ? drained : Promise.race([drained, limit]));
    await finish?.();
    this.#replicas.stop();
    if (this.#nc.isClosed()) return;
    // A connection that breaks now has nothing left to send.
    if (this.connected) await this.#nc.flush().catch(() => {});
    await this.#nc.close();
  }

  /** Makes a request, in its span if it has one. */
  async #request(
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    span?: Span,
  ): Promise<BusReply> {
    const [connection, batches] = [this.#connection, this.#batches];
    const begunAt = performance.now();
    const sent = span === undefined ? options : { ...options, headers: headersIn(span, options.headers) };
    const budget = this.#budgets.of(subject);
    const pending =
      options.effect === 'read'
        ? new PendingRead(connection, batches, subject, body, sent, budget, this.#hedgeAfterMs)
        : new PendingRequest(connection, batches, subject, body, sent);
    const { signal } = options;
    const cancel = () => pending.cancel();
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
    try {
      const reply = await pending.send();
      const code = codeOf(reply);
      if (reply.status === 503) budget.busy();
      const error = errorTypeOf(reply.status, code);
      measureRequest(subject, performance.now() - begunAt, error);
      if (span !== undefined) noteStatus(span, reply.status, code);
      return reply;
    } catch (error) {
      measureRequest(subject, performance.now() - begunAt, thrownType(error));
      if (span !== undefined) noteFailure(span, error, pending.failure);
      throw error;
    } finally {
      // The signal may outlive the request by far, and keep its body in memory.
      signal?.removeEventListener('abort', cancel);
      span?.end();
    }
  }

  async #follow(onEvent: BusOptions['onEvent']): Promise<void> {
    const handshakes = new Handshakes(this.#nc);
    let reported = '';
    const minority = new Minority(this.#nc, () =>
      onEvent?.({
        level: 'warn',
        message: 'the NATS server reaches a minority of its cluster; changing to another',
      }),
    );
    for await (const status of this.#nc.status()) {
      handshakes.take(status);
      minority.take(status);
      if (status.type === 'disconnect') {
        // An attempt to reconnect that breaks is another one, and has a reconnection of its own.
        const isFirst = this.#connection.isConnected;
        this.#connection.lost();
        if (isFirst)
          onEvent?.({ level: 'warn', message: 'lost the connection to the NATS server; reconnecting' });
      } else if (status.type === 'reconnect' && !this.#connection.isConnected) {
        this.#connection.regained();
        this.#server.connectionRegained();
        reconnected(1);
        onEvent?.({ level: 'info', message: 'reconnected to the NATS server' });
      } else if (status.type === 'error') {
        const { error } = status;
        if (error instanceof errors.PermissionViolationError && error.operation === 'publish')
          this.#server.refused(error.subject);
        // Refused attempts to reconnect report the same each half second.
        if (this.connected || error.message !== reported)
          onEvent?.({ level: 'warn', message: `the NATS server reports: ${error.message}` });
        reported = error.message;
      }
    }
    this.#connection.lost();
  }
}

/** The headers of a request that is made in a span. A span that does not record keeps the caller's `traceparent`. */
function headersIn(span: Span, headers: Headers | undefined): Headers | undefined {
  if (!span.isRecording() && headers?.[busHeaders.traceparent] !== undefined) return headers;
  return { ...headers, [busHeaders.traceparent]: toTraceparent(span.spanContext()) };
}
