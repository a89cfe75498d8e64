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
  /** On a chunk of a long answer: its position, counted from 0. */
  piece: 'piece',
  /** On a chunk of a long answer: another one follows when asked for. */
  more: 'more',
  /** On a message to the sender of a long answer: the receiver wants no more of it. */
  cancel: 'cancel',
} as const;

/** What the NATS client would trim, refuse or change in a header, and the mark of a quoted value. */
const NEEDS_QUOTES = /^["\s]|[\r\n\ud800-\udfff]|\s$/;

/**
 * Makes message headers; any string is a value. Values travel as UTF-8, and those that would not survive as they
 * are (with a line break, white space at an end, half of a surrogate pair) as a JSON string. `readHeader` undoes it.
 */
export function toMessageHeaders(entries: Readonly<Record<string, string>>): MsgHdrs {
  const headers = createHeaders();
  for (const name in entries) {
    const value = entries[name]!;
    headers.append(name, NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value);
  }
  return headers;
}

/** A header's value; the empty string when it is absent. */
export function readHeader(headers: MsgHdrs | undefined, name: string): string {
  const value = headers?.get(name) ?? '';
  return value.startsWith('"') ? unquote(value) : value;
}

function unquote(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    // Not written by toMessageHeaders.
    return value;
  }
}

/** The headers with the active trace context (W3C Trace Context) in them. */
export function withTraceContext(
  headers: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const carrier = { ...headers };
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** The trace context that a message came with. */
export function extractTraceContext(headers: MsgHdrs | undefined) {
  return propagation.extract(context.active(), headers, {
    keys: (carrier) => carrier?.keys() ?? [],
    get: (carrier, key) => readHeader(carrier, key) || undefined,
  });
}
