import { ActionError, type BusUser, inboxPrefix } from '@action-platform/contracts';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type BusOptions, connectToServer } from './connection.ts';
import { busHeaders, injectTraceContext, toMessageHeaders } from './headers.ts';
import { Inbox } from './inbox.ts';
import { type BusHandler, BusServer } from './server.ts';
import { receivePieces } from './stream/receiver.ts';

/** What goes with a request. */
export interface BusRequestOptions {
  /** How long to wait for the answer to begin, in milliseconds. */
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
}

/** The answer to a request. */
export interface BusReply {
  /** The HTTP status that belongs to it; its body is what the HTTP client gets. */
  readonly status: number;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
  /** The body, or its first piece when `more` is set. */
  readonly body: Uint8Array;
  /** The further pieces of a long body, fetched as they are consumed; `undefined` when `body` is all. */
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
  #connected = true;

  constructor(nc: NatsConnection, user: BusUser, onEvent: BusOptions['onEvent']) {
    this.#nc = nc;
    this.#inbox = new Inbox(nc, inboxPrefix(user));
    this.#server = new BusServer(nc, this.#inbox);
    void this.#follow(onEvent);
  }

  /** False while the connection is broken; it is being re-established all the time. */
  get connected(): boolean {
    return this.#connected;
  }

  /**
   * Sends a request and waits for its answer to begin. Throws ActionError:
   * - `action_platform_unavailable` when nothing was sent, or nobody serves the subject: nothing was done;
   * - `action_infrastructure_failure` when the answer did not come in time, or the connection broke after
   *   the request was sent: the outcome is unknown.
   */
  async request(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    return await tracer.startActiveSpan(`${subject} request`, { kind: SpanKind.CLIENT }, async (span) => {
      try {
        const message = await this.#exchange(subject, body, options);
        const status = Number(message.headers?.get(busHeaders.status));
        // An answer without a status is a sender's way to say that it failed before it could answer.
        if (!status) throw new ActionError('action_infrastructure_failure');
        const isLong = message.headers!.has(busHeaders.more);
        return {
          status,
          header: (name: string) => message.headers!.get(name),
          body: message.data,
          more: isLong ? receivePieces(this.#nc, this.#inbox, message) : undefined,
        };
      } catch (error) {
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof ActionError ? error.code : 'failed',
        });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  #exchange(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<Msg> {
    const { promise, resolve, reject } = Promise.withResolvers<Msg>();
    if (!this.#connected) {
      reject(new ActionError('action_platform_unavailable'));
      return promise;
    }
    const outcomeUnknown = () => {
      finish();
      reject(new ActionError('action_infrastructure_failure'));
    };
    const { subject: replyTo, close } = this.#inbox.open({
      receive: (message) => {
        finish();
        const nobodyServes = message.headers?.code === 503 && message.data.length === 0;
        if (nobodyServes) reject(new ActionError('action_platform_unavailable'));
        else resolve(message);
      },
      lost: outcomeUnknown,
    });
    const timer = setTimeout(outcomeUnknown, options.timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      close();
    };
    const headers = toMessageHeaders({
      ...options.headers,
      [busHeaders.timeoutMs]: String(Math.ceil(options.timeoutMs)),
    });
    injectTraceContext(headers);
    this.#nc.publish(subject, body, { reply: replyTo, headers });
    return promise;
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
    if (this.#connected) await this.#nc.flush();
    await this.#nc.close();
  }

  async #follow(onEvent: BusOptions['onEvent']): Promise<void> {
    for await (const status of this.#nc.status()) {
      if (status.type === 'disconnect') {
        this.#connected = false;
        this.#inbox.connectionLost();
        onEvent?.({ level: 'warn', message: 'lost the connection to the NATS server; reconnecting' });
      } else if (status.type === 'reconnect') {
        this.#connected = true;
        onEvent?.({ level: 'info', message: 'reconnected to the NATS server' });
      } else if (status.type === 'error') {
        onEvent?.({ level: 'warn', message: `the NATS server reports: ${status.error.message}` });
      }
    }
    this.#connected = false;
    this.#inbox.connectionLost();
  }
}
