import { headers as createHeaders, type MsgHdrs } from '@nats-io/transport-node';
import { context, propagation } from '@opentelemetry/api';

/** The headers of messages on the bus, besides the W3C trace context. */
export const busHeaders = {
  /** The request id that the caller of the gateway sees. */
  requestId: 'x-request-id',
  /** Milliseconds the requester will wait for the answer to begin. Relative, so clocks need not agree. */
  timeoutMs: 'x-timeout-ms',
  /** The principal of an operation, as JSON. */
  principal: 'x-principal',
  /** The session claims of a call that manages grants, as JSON. */
  session: 'x-session',
  /** On an answer: the HTTP status that the caller of the gateway gets. */
  status: 'status',
  /** On an answer: seconds after which trying again makes sense. */
  retryAfter: 'retry-after',
  /** On an answer: it repeats the first outcome of this idempotency key. */
  replayed: 'idempotent-replayed',
  /** On a piece of a long answer: its position, counted from 0. */
  piece: 'piece',
  /** On a piece of a long answer: another one follows when asked for. */
  more: 'more',
  /** On a message to the sender of a long answer: the receiver wants no more of it. */
  cancel: 'cancel',
} as const;

/** Makes message headers; values outside ASCII must be escaped by the caller. */
export function toMessageHeaders(entries: Readonly<Record<string, string>>): MsgHdrs {
  const headers = createHeaders();
  for (const name in entries) headers.set(name, entries[name]!);
  return headers;
}

/** Adds the active trace context (W3C Trace Context) to message headers. */
export function injectTraceContext(headers: MsgHdrs): void {
  propagation.inject(context.active(), headers, { set: (carrier, key, value) => carrier.set(key, value) });
}

/** The trace context that a message came with. */
export function extractTraceContext(headers: MsgHdrs | undefined) {
  return propagation.extract(context.active(), headers, {
    keys: (carrier) => carrier?.keys() ?? [],
    get: (carrier, key) => carrier?.get(key) || undefined,
  });
}
