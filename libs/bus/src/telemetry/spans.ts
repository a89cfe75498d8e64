import { busHeaders } from '@action-platform/contracts/bus';
import { isErrorCode } from '@action-platform/contracts/errors';
import { durations, thrownType, toTraceparent } from '@action-platform/telemetry';
import {
  type Attributes,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Headers } from '../wire/headers.ts';

/** The span of one end of a request; the same for every request on its subject. */
interface Described {
  readonly name: string;
  readonly options: SpanOptions;
}

/** The durations of requests, by the conventions for messaging; those on `grants.authorize` are the durations of authorization. */
const requests = durations('messaging.client.operation.duration');

export const tracer = trace.getTracer('@action-platform/bus');

/** The requester's span of a subject, by the conventions for messaging; a request has an answer, so its kind is client. */
export const requesterSpan = remembered((subject) => describe('request', 'send', SpanKind.CLIENT, subject));

/** The responder's span of a subject. */
export const responderSpan = remembered((subject) =>
  describe('process', 'process', SpanKind.SERVER, subject),
);

/** Records an answer in the durations of requests, and on the request's span if it has one. */
export function recordAnswer(
  subject: string,
  durationMs: number,
  answer: Answered,
  span: Span | undefined,
): void {
  const code = answer.header(busHeaders.errorCode);
  measure(subject, durationMs, errorTypeOf(answer.status, code));
  if (span !== undefined) noteStatus(span, answer.status, code);
}

/** Records a request without a valid answer as `recordAnswer` does. */
export function recordFailure(
  subject: string,
  durationMs: number,
  error: unknown,
  failure: Failure | undefined,
  span: Span | undefined,
): void {
  measure(subject, durationMs, thrownType(error));
  if (span === undefined) return;
  if (failure !== undefined) span.setAttribute('bus.failure', failure);
  noteError(span, error);
}

interface Answered {
  readonly status: number;
  header(name: string): string;
}

function measure(subject: string, durationMs: number, error: string | undefined): void {
  const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': subject };
  requests(durationMs, error === undefined ? attributes : { ...attributes, 'error.type': error });
}

/** The `error.type` of an answer; undefined for a success. */
function errorTypeOf(status: number, code: string): string | undefined {
  if (status < 400) return undefined;
  return isErrorCode(code) ? code : String(status);
}

/** Sets the outcome of a request on its span: the code of a refusal, and whether that is a failure. */
export function noteStatus(span: Span, status: number, code: string): void {
  const error = errorTypeOf(status, code);
  if (error !== undefined) span.setAttribute('error.type', error);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Sets on a span that a request has no answer. */
export function noteError(span: Span, error: unknown): void {
  span.setAttribute('error.type', thrownType(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The reason why a request has no valid answer, for its span. */
export type Failure =
  | 'no_responders'
  | 'timeout'
  | 'connection_lost'
  | 'replica_lost'
  | 'cancelled'
  | 'not_sent'
  | 'broken_answer';

function describe(operation: string, type: string, kind: SpanKind, subject: string): Described {
  const attributes: Attributes = {
    'messaging.system': 'nats',
    'messaging.operation.name': operation,
    'messaging.operation.type': type,
    'messaging.destination.name': subject,
  };
  return { name: `${operation} ${subject}`, options: { kind, attributes: Object.freeze(attributes) } };
}

/** Makes each description once; the number of subjects is bounded by their declarations. */
function remembered(make: (subject: string) => Described): (subject: string) => Described {
  const known = new Map<string, Described>();
  return (subject) => {
    let described = known.get(subject);
    if (described === undefined) {
      described = make(subject);
      known.set(subject, described);
    }
    return described;
  };
}

/** The headers of a request that is made in a span. A span that does not record keeps the caller's `traceparent`. */
export function headersIn(span: Span, headers: Headers | undefined): Headers | undefined {
  if (!span.isRecording() && headers?.[busHeaders.traceparent] !== undefined) return headers;
  return { ...headers, [busHeaders.traceparent]: toTraceparent(span.spanContext()) };
}
