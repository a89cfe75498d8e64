import { randomUUID } from 'node:crypto';
import { isSpanContextValid, type Span } from '@opentelemetry/api';

const ACCEPTED = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id of a request: the caller's own when it is well formed, otherwise one made from the trace id. */
export function requestIdFor(callersOwn: string | undefined, span: Span): string {
  if (callersOwn !== undefined && ACCEPTED.test(callersOwn)) return callersOwn;
  const context = span.spanContext();
  return isSpanContextValid(context) ? `req_${context.traceId}` : createRequestId();
}

/** A request id for a request that belongs to no trace: it looks like the others. */
export function createRequestId(): string {
  // Node keeps random bytes for UUIDs ready, which makes this several times cheaper than asking for 16 of them.
  return `req_${randomUUID().replaceAll('-', '')}`;
}
