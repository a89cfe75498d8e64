import { thrownType } from '@action-platform/telemetry';
import { type Span, trace } from '@opentelemetry/api';
import { RequestBatches } from '../batches/requests.ts';
import type { Connection } from '../connection.ts';
import {
  codeOf,
  errorTypeOf,
  headersIn,
  measureRequest,
  noteFailure,
  noteStatus,
  requesterSpan,
  tracer,
} from '../spans.ts';
import type { BusRequestOptions } from './options.ts';
import { PendingRead } from './pending-read.ts';
import { PendingRequest } from './pending-request.ts';
import type { BusReply } from './reply.ts';
import { type RetryBudget, RetryBudgets } from './retry-budget.ts';

/** Makes the requests of a connection, each with a span and a measurement. */
export class Requests {
  readonly #connection: Connection;
  readonly #batches: RequestBatches;
  readonly #hedgeAfterMs: number | undefined;
  readonly #budgets = new RetryBudgets();

  constructor(connection: Connection, hedgeAfterMs: number | undefined) {
    this.#connection = connection;
    this.#batches = new RequestBatches(connection);
    this.#hedgeAfterMs = hedgeAfterMs;
  }

  /** Sends those that wait for the end of the event loop's tick now. */
  flush(): void {
    this.#batches.flush();
  }

  /** As `Bus.request` describes. */
  send(subject: string, body: Uint8Array | string, options: BusRequestOptions): Promise<BusReply> {
    if (trace.getActiveSpan() === undefined) return this.#send(subject, body, options);
    const { name, options: described } = requesterSpan(subject);
    return this.#send(subject, body, options, tracer.startSpan(name, described));
  }

  /** Makes a request, in its span if it has one. */
  async #send(
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    span?: Span,
  ): Promise<BusReply> {
    const begunAt = performance.now();
    const sent = span === undefined ? options : { ...options, headers: headersIn(span, options.headers) };
    const budget = this.#budgets.of(subject);
    const pending = this.#pending(subject, body, sent, budget);
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
  #pending(
    subject: string,
    body: Uint8Array | string,
    options: BusRequestOptions,
    budget: RetryBudget,
  ): PendingRequest {
    const [connection, batches] = [this.#connection, this.#batches];
    return options.effect === 'read'
      ? new PendingRead(connection, batches, subject, body, options, budget, this.#hedgeAfterMs)
      : new PendingRequest(connection, batches, subject, body, options);
  }
}
