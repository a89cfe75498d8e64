import { ActionError, type BusUser, type ErrorCode, inboxPrefix } from '@action-platform/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type BusOptions, connectToServer } from './connection.ts';
import { busHeaders, readHeader, withTraceContext } from './headers.ts';
import { Inbox } from './inbox.ts';
import { isDemandSubject } from './long-answers/protocol.ts';
import { receiveChunks } from './long-answers/receive.ts';
import { sendQuery } from './query.ts';
import { type BusRequestOptions, sendRequest } from './request.ts';
import { type BusHandler, BusServer } from './server.ts';

/** The answer to a request. */
export interface BusReply {
  /** The HTTP status that belongs to it; its body is what the HTTP client gets. */
  readonly status: number;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
  /** The body, or its first chunk when `more` is set. */
  readonly body: Uint8Array;
  /** The further chunks of a long body, fetched as they are consumed; `undefined` when `body` is all. */
  readonly more: AsyncGenerator<Uint8Array> | undefined;
}

const tracer = trace.getTracer('@action-platform/bus');

/** Connects to the bus; waits for a NATS server that is not up yet. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return new Bus(await connectToServer(options), options.user, options.onEvent);
}

/** A connection to the bus: makes requests and serves them. */
export class Bus {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #server: BusServer;

  constructor(nc: NatsConnection, user: BusUser, onEvent: BusOptions['onEvent']) {
    this.#nc = nc;
    this.#inbox = new Inbox(nc, inboxPrefix(user));
    this.#server = new BusServer(nc, this.#inbox);
    void this.#follow(onEvent);
  }

  /** False while the connection is broken; it is being re-established all the time. */
  get connected(): boolean {
    return this.#inbox.connected;
  }

  /**
   * Sends a request that may change something, once, and waits for its answer to begin. Throws ActionError:
   * - `request_body_too_large` when it is larger than the NATS server takes: nothing was done;
   * - `action_platform_unavailable` when nothing was sent, or nobody serves the subject: nothing was done;
   * - `action_infrastructure_failure` when the answer did not come in time, failed, or the connection broke
   *   after the request was sent: the outcome is unknown.
   */
  request(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    return this.#exchange(sendRequest, 'action_infrastructure_failure', subject, body, options);
  }

  /**
   * Sends a request that only reads and waits for an answer to begin. While none does, other replicas are asked
   * too, and again after a reconnect; the first answer wins. Throws ActionError:
   * - `request_body_too_large` when it is larger than the NATS server takes;
   * - `action_platform_unavailable` at once when nobody serves the subject or the answer failed, and when no
   *   answer came in time.
   */
  query(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    return this.#exchange(sendQuery, 'action_platform_unavailable', subject, body, options);
  }

  /** Serves a subject; the members of a queue group share its requests. */
  serve(subject: string, queue: string, handler: BusHandler): void {
    this.#server.serve(subject, queue, handler);
  }

  /** Resolves once the NATS server knows of everything asked of it so far; rejects when it does not answer. */
  async flush(): Promise<void> {
    await this.#nc.flush();
  }

  /** Takes no more requests, finishes those it has, and closes the connection. Nothing taken is lost. */
  async drain(): Promise<void> {
    await this.#server.drain();
    if (this.#nc.isClosed()) return;
    if (this.connected) await this.#nc.flush();
    await this.#nc.close();
  }

  /** Sends by `send`, in a span of its own when the caller is in one. */
  #exchange(
    send: typeof sendRequest,
    failure: ErrorCode,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
  ): Promise<BusReply> {
    if (trace.getActiveSpan() === undefined) return this.#untraced(send, failure, subject, body, options);
    return tracer.startActiveSpan(`${subject} request`, { kind: SpanKind.CLIENT }, async (span) => {
      try {
        // A span that is not recorded leaves the caller's `traceparent`, if there is one, as it is.
        const headers =
          span.isRecording() || options.headers?.traceparent === undefined
            ? withTraceContext(options.headers)
            : options.headers;
        return await this.#untraced(send, failure, subject, body, { ...options, headers });
      } catch (error) {
        const message = error instanceof ActionError ? error.code : 'failed';
        span.setStatus({ code: SpanStatusCode.ERROR, message });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  async #untraced(
    send: typeof sendRequest,
    failure: ErrorCode,
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
  ): Promise<BusReply> {
    return this.#toReply(await send(this.#nc, this.#inbox, subject, body, options), failure, subject);
  }

  #toReply(message: Msg, failure: ErrorCode, subject: string): BusReply {
    const { headers, reply } = message;
    const status = Number(headers?.get(busHeaders.status));
    const isLong = headers?.has(busHeaders.more) === true;
    // An answer without a status is a sender's way to say that it failed before it could answer.
    if (!status || (isLong && !isDemandSubject(subject, reply))) throw new ActionError(failure);
    return {
      status,
      header: (name) => readHeader(headers, name),
      body: message.data,
      more: isLong ? receiveChunks(this.#nc, this.#inbox, reply!, failure) : undefined,
    };
  }

  async #follow(onEvent: BusOptions['onEvent']): Promise<void> {
    for await (const status of this.#nc.status()) {
      if (status.type === 'disconnect') {
        this.#inbox.connectionLost();
        onEvent?.({ level: 'warn', message: 'lost the connection to the NATS server; reconnecting' });
      } else if (status.type === 'reconnect') {
        this.#inbox.connectionRegained();
        onEvent?.({ level: 'info', message: 'reconnected to the NATS server' });
      } else if (status.type === 'error') {
        onEvent?.({ level: 'warn', message: `the NATS server reports: ${status.error.message}` });
      }
    }
    this.#inbox.connectionLost();
  }
}
