/** The headers of messages on the bus; a receiver ignores those that it does not know. */
export const busHeaders = {
  /** The request id that the caller of the gateway sees. */
  requestId: 'x-request-id',
  /** The span context of the request (W3C Trace Context). */
  traceparent: 'traceparent',
  /** Milliseconds the requester will wait for the answer to begin. Relative, so clocks need not agree. */
  timeoutMs: 'x-timeout-ms',
  /** The fairness key that the request counts to. */
  fairnessKey: 'x-fairness-key',
  /** The principal of an operation, as JSON. */
  principal: 'x-principal',
  /** The idempotency key of an operation whose body names none: the request header `Idempotency-Key`. */
  idempotencyKey: 'x-idempotency-key',
  /** The session claims of a call that manages grants, as JSON. */
  session: 'x-session',
  /** The name that an operator gives; nobody vouches for it. */
  operator: 'x-operator',
  /** On a message that holds several: `libs/bus/src/batches/batch.ts`. */
  batch: 'batch',
  /** On an answer: the HTTP status that the caller of the gateway gets. */
  status: 'status',
  /** On an answer that refuses or fails: the code of the catalogue, for readers that skip the body. */
  errorCode: 'error-code',
  /** On an answer: seconds after which trying again makes sense. */
  retryAfter: 'retry-after',
  /** On an answer: it repeats the first outcome of this idempotency key. */
  replayed: 'idempotent-replayed',
  /** On a chunk of a long answer: its position, counted from 0. */
  chunk: 'chunk',
  /** On a chunk of a long answer: another one follows when asked for. */
  more: 'more',
  /** On a message to the sender of a long answer: the receiver wants no more of it. */
  cancel: 'cancel',
} as const;

/** The trace id in a `traceparent` (W3C Trace Context, section 3.2.2.3); undefined when there is none. */
export function traceIdOf(traceparent: string): string | undefined {
  return traceparent === '' ? undefined : traceparent.slice(3, 35);
}
