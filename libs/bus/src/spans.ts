import { busHeaders, isErrorCode } from '@action-platform/contracts';
import { durations, thrownType } from '@action-platform/telemetry';
import {
  type Attributes,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** The span of one end of a call over the bus; the same for every call on its subject. */
interface Described {
  readonly name: string;
  readonly options: SpanOptions;
}

/** How long each call took, by the conventions for messaging: authority is the one on `grants.authorize`. */
const asking = durations('messaging.client.operation.duration');

/** Measures a call that was made, with the code of its answer, if that is not a good one. */
export function measureAsking(subject: string, durationMs: number, error: string | undefined): void {
  const asked = { 'messaging.system': 'nats', 'messaging.destination.name': subject };
  asking(durationMs, error === undefined ? asked : { ...asked, 'error.type': error });
}

/** The `error.type` of an answer; undefined for a success. */
export function errorTypeOf(status: number, code: string): string | undefined {
  if (status < 400) return undefined;
  return isErrorCode(code) ? code : String(status);
}

export const tracer = trace.getTracer('@action-platform/bus');

/** The requester's span of a subject, by the conventions for messaging; a request has an answer, so its kind is client. */
export const askingOn = remembered((subject) => describe('request', 'send', SpanKind.CLIENT, subject));

/** The responder's span of a subject. */
export const answeringOn = remembered((subject) => describe('process', 'process', SpanKind.SERVER, subject));

/** Notes the outcome of a call on its span: the code of a refusal, and whether that is a failure. */
export function noteStatus(span: Span, status: number, code: string): void {
  const error = errorTypeOf(status, code);
  if (error !== undefined) span.setAttribute('error.type', error);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Notes on a span that a call has no answer. */
export function noteError(span: Span, error: unknown): void {
  span.setAttribute('error.type', thrownType(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Why a request has no good answer, for its span. */
export type Failure =
  | 'no_responders'
  | 'timeout'
  | 'connection_lost'
  | 'replica_gone'
  | 'cancelled'
  | 'not_sent'
  | 'broken_answer';

/** Notes on a span that a request failed, and why the bus gave it up. */
export function noteFailure(span: Span, error: unknown, failure: Failure | undefined): void {
  if (failure !== undefined) span.setAttribute('bus.failure', failure);
  noteError(span, error);
}

/** The code with which an answer refuses or fails a call; the empty string when it does not. */
export function codeOf(answer: { header(name: string): string }): string {
  return answer.header(busHeaders.errorCode);
}

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
