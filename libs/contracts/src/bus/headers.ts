/** The headers of messages on the bus; a receiver ignores unknown ones. */
export const busHeaders = {
  /** The request id that the caller of the gateway sees. */
  requestId: 'x-request-id',
  /** The gateway's own id of the call, when its caller chose the request id: other calls may have that one too. */
  callId: 'x-call-id',
  /** The span context of the request (W3C Trace Context). */
  traceparent: 'traceparent',
  /** Milliseconds that the requester waits for the start of the answer. Relative, so clocks need not agree. */
  timeoutMs: 'x-timeout-ms',
  fairnessKey: 'x-fairness-key',
  /** Whom the gateway makes a call for, as JSON: the principal of an operation, or the session claims of a signed-in Member. */
  principal: 'x-principal',
  /** On the answer of grants, and on the call of a custom operation: a `FoundCustomOperation`, as JSON. */
  customOperation: 'x-custom-operation',
  /** The request header `Idempotency-Key`, for an operation whose body has no idempotency key. */
  idempotencyKey: 'x-idempotency-key',
  /** `true` when an input that takes an idempotency key must have one. */
  keyRequired: 'x-key-required',
  /** The parameters in the path of a request, as JSON: fields of an input whose other fields are the body. */
  path: 'x-path',
  /** The name that an operator gives, unverified. */
  operator: 'x-operator',
  /** On a batch of messages: `libs/bus/src/wire/batch.ts`. */
  batch: 'batch',
  /** On an answer: the HTTP status for the caller of the gateway. */
  status: 'status',
  /** On an error: its code in the catalogue, for readers that skip the body. */
  errorCode: 'error-code',
  /** On an error: the step that the caller should take, instead of the catalogue's. */
  next: 'x-next',
  /** `true` on a refusal for load: the admission of the service refused the call, by its own limit or the share of the call's Workspace. */
  busy: 'x-busy',
  /** On an answer: seconds after which the caller should try again. */
  retryAfter: 'retry-after',
  /** On a refusal: the approval that the call waits for, or that rejected it. */
  approvalId: 'x-operation-approval-id',
  /** On a refusal: the Record that it is about. */
  recordId: 'x-record-id',
  /** On a refusal: for how many milliseconds the limit of the Workspace refuses further calls. */
  limitedForMs: 'x-limited-for-ms',
  /** On an answer that repeats the first outcome of this idempotency key. */
  replayed: 'idempotent-replayed',
  /** On an answer with status 200 that is no success: its declared outcome, `failed` or `unknown` (`Operation.outcome`). */
  outcome: 'x-outcome',
  /** On the answer of a write, and on a refusal: the ids for the audit log that the call named or made (`targetsHeader`). */
  targets: 'x-targets',
  /** On an answer of grants: the holder of the grant in use, as JSON. */
  holder: 'x-holder',
  /** On the answer of an operation that waits: a `FeedPage`, as JSON. */
  feed: 'x-feed',
  /** On a chunk of a long answer: its index, from 0. */
  chunk: 'chunk',
  /** On a chunk of a long answer: the sender has another one and waits for credit. */
  more: 'more',
  /** On a message to the sender of a long answer: the receiver cancels it. */
  cancel: 'cancel',
} as const;

/** The trace id in a `traceparent` (W3C Trace Context, section 3.2.2.3); undefined when it is malformed. */
export function traceIdOf(traceparent: string): string | undefined {
  return traceparent === '' ? undefined : traceparent.slice(3, 35);
}
