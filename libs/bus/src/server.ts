import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type Context, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { busHeaders, extractTraceContext, toMessageHeaders } from './headers.ts';
import type { Inbox } from './inbox.ts';
import { PIECE_BYTES, sendPieces } from './stream/sender.ts';

/** A request as its handler sees it. */
export interface BusRequest {
  readonly subject: string;
  readonly body: Uint8Array;
  /** A header's value; the empty string when it is absent. */
  header(name: string): string;
}

/** What a handler answers. */
export interface BusAnswer {
  /** The HTTP status that belongs to the body. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body, or its pieces as they become ready, each well below the largest message. */
  readonly body: Uint8Array | AsyncIterator<Uint8Array>;
}

/** Answers one request. It must not throw: every outcome, failures too, is an answer. */
export type BusHandler = (request: BusRequest) => Promise<BusAnswer>;

const tracer = trace.getTracer('@action-platform/bus');

/** The serving half of a bus connection. */
export class BusServer {
  readonly #nc: NatsConnection;
  readonly #inbox: Inbox;
  readonly #subscriptions: Subscription[] = [];
  readonly #underWay = new Set<Promise<void>>();

  constructor(nc: NatsConnection, inbox: Inbox) {
    this.#nc = nc;
    this.#inbox = inbox;
  }

  serve(subject: string, queue: string, handler: BusHandler): void {
    const subscription = this.#nc.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error !== null || message.reply === undefined) return;
        const work = this.#answer(message, handler).finally(() => this.#underWay.delete(work));
        this.#underWay.add(work);
      },
    });
    this.#subscriptions.push(subscription);
  }

  /** Stops taking requests and resolves when those taken are answered. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.splice(0).map((subscription) => subscription.drain()));
    await Promise.allSettled(this.#underWay);
  }

  async #answer(message: Msg, handler: BusHandler): Promise<void> {
    const parent: Context = extractTraceContext(message.headers);
    const span = tracer.startSpan(`${message.subject} process`, { kind: SpanKind.SERVER }, parent);
    await context.with(trace.setSpan(parent, span), async () => {
      try {
        const answer = await handler({
          subject: message.subject,
          body: message.data,
          header: (name) => message.headers?.get(name) ?? '',
        });
        await this.#send(message, answer);
      } catch {
        // The receiver has been told by sendPieces, or the connection is gone and the requester knows.
        span.setStatus({ code: SpanStatusCode.ERROR });
      } finally {
        span.end();
      }
    });
  }

  async #send(request: Msg, { status, headers, body }: BusAnswer): Promise<void> {
    const messageHeaders = toMessageHeaders({ ...headers, [busHeaders.status]: String(status) });
    if (!(body instanceof Uint8Array)) {
      await sendPieces(this.#nc, this.#inbox, request, messageHeaders, body);
    } else if (body.length > PIECE_BYTES) {
      await sendPieces(this.#nc, this.#inbox, request, messageHeaders, cut(body));
    } else {
      this.#nc.publish(request.reply!, body, { headers: messageHeaders });
    }
  }
}

/** A body in pieces. */
async function* cut(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    yield body.subarray(start, start + PIECE_BYTES);
  }
}
