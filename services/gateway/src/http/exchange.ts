import type { IncomingMessage } from 'node:http';
import type { Logger } from '@action-platform/service-host';
import {
  isInTrace,
  newTraceId,
  ROOT_CONTEXT,
  readTraceparent,
  toTraceparent,
} from '@action-platform/telemetry';
import { context, type Span, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import type { NextFunction, Request } from 'express';
import { type Exchange, MalformedRequest } from '../dispatch/exchange.ts';
import type { ApiResponse } from './api-response.ts';
import { belongsTo } from './crowd.ts';
import { endSpan, methodOf } from './end-span.ts';
import { logRequests } from './log-requests.ts';
import type { Measurements } from './measure.ts';

/** A request id of the caller's own that is taken over. */
const CALLERS_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Headers that all answers carry. */
export const COMMON_HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
] as const;

const tracer = trace.getTracer('@action-platform/gateway');

/**
 * Begins the exchange of every request: its id, its deadline, its place in the trace, and the headers that all answers
 * carry. What is not a request as HTTP wants it ends here.
 */
export function beginExchange(
  config: { REQUEST_DEADLINE_MS: number; TRACES_SLOW_MS: number },
  log: Logger,
  measurements: Measurements,
) {
  const writeLine = logRequests(log, config.TRACES_SLOW_MS);
  return (request: Request, response: ApiResponse, next: NextFunction): void => {
    const begunAt = performance.now();
    const callers = callersPlaceOf(request);
    const span = beginSpan(methodOf(request), callers);
    const place = placeOf(span, callers);
    const requestId =
      callersRequestId(request) ?? (callers === undefined ? `req_${place.traceId}` : createRequestId());
    // One listener for all of them: a long answer has many already, and Node warns of more than ten.
    const leaving: (() => void)[] = [];
    const exchange: Exchange = {
      requestId,
      traceparent: toTraceparent(place),
      deadline: begunAt + config.REQUEST_DEADLINE_MS,
      authorization: request.headers.authorization,
      belongsTo: (owner) => belongsTo(request, owner),
      findings: {},
      whenDelivered: (leave) => {
        if (response.closed) leave();
        else leaving.push(leave);
      },
    };
    response.locals.exchange = exchange;
    response.setHeader('x-request-id', requestId);
    for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
    response.once('close', () => {
      for (const leave of leaving) leave();
      const durationMs = performance.now() - begunAt;
      measurements.answered(request, response, place, durationMs);
      writeLine(request, response, place, durationMs);
      if (span.isRecording()) endSpan(span, request, response);
    });
    const problem = problemOf(request);
    context.with(trace.setSpan(ROOT_CONTEXT, span), problem === undefined ? next : () => next(problem));
  };
}

/** The request id that the caller chose, if it can be one. */
function callersRequestId({ headers }: IncomingMessage): string | undefined {
  const own = headers['x-request-id'];
  return typeof own === 'string' && CALLERS_REQUEST_ID.test(own) ? own : undefined;
}

/** The id of a request that gets no exchange. */
export function requestIdOf(request: IncomingMessage): string {
  return callersRequestId(request) ?? createRequestId();
}

/** A fresh request id. Requests of one trace never share one: an operation may take it for its idempotency key. */
export function createRequestId(): string {
  return `req_${newTraceId()}`;
}

/**
 * The place in a trace that a request's caller names. Of it only the ids count. Whether a request is recorded is not its
 * caller's to say: a caller could make us record every one, or hide some. What else comes with a trace (`tracestate`,
 * `baggage`) would go on to every service, so none of it is read.
 */
function callersPlaceOf({ headers }: IncomingMessage): SpanContext | undefined {
  const place = readTraceparent(String(headers.traceparent ?? ''));
  return place === undefined ? undefined : { ...place, traceFlags: TraceFlags.NONE };
}

/**
 * The span of a request. It has no parent, so that our own sampler decides whether it is recorded; then it joins the
 * caller's trace, and a link leads to where it came from. A sampler given the caller's place would follow its flag, and
 * one that decides by trace id would let the caller choose.
 */
function beginSpan(method: string, callers: SpanContext | undefined): Span {
  const links = callers === undefined ? [] : [{ context: callers }];
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, root: true, links });
  const own = span.spanContext();
  if (callers !== undefined && isInTrace(own)) own.traceId = callers.traceId;
  return span;
}

/** Our own place in the trace when there is a span, otherwise the caller's, otherwise the beginning of a new trace. */
function placeOf(span: Span, callers: SpanContext | undefined): SpanContext {
  const own = span.spanContext();
  if (isInTrace(own)) return own;
  if (callers !== undefined) return callers;
  const traceId = newTraceId();
  // Nobody records this request, so any parent id will do.
  return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.NONE };
}

/** What Node would answer by itself, without an envelope, if it were left to it. */
function problemOf({ httpVersion, headers, rawHeaders }: IncomingMessage): MalformedRequest | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  }
  // RFC 9112, section 3.2.
  if (hosts > 1) return new MalformedRequest('The request has more than one Host header.');
  if (hosts === 0 && httpVersion !== '1.0') return new MalformedRequest('The request has no Host header.');
  // RFC 9110, section 10.1.1.
  const isExpected = headers.expect === undefined || /^100-continue$/i.test(headers.expect);
  return isExpected ? undefined : new MalformedRequest('Expect: only 100-continue is understood.');
}
