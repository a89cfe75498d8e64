import type { IncomingMessage } from 'node:http';
import { newRequestId } from '@action-platform/contracts/ids';
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
import { type Delivery, type Exchange, MalformedRequest, type RequestIds } from '../dispatch/exchange.ts';
import { COMMON_HEADERS } from './answers/http-answer.ts';
import { wasWritten } from './answers/send.ts';
import type { ApiResponse } from './api-response.ts';
import { assignOwner } from './connections/connection-table.ts';
import { templateOf } from './mount-routes.ts';
import { endSpan, methodOf, routeOf } from './observing/end-span.ts';
import { logRequests } from './observing/log-requests.ts';
import type { Measurements } from './observing/measure.ts';

/** A request id of the caller's own that the gateway keeps. */
const CALLERS_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

const tracer = trace.getTracer('@action-platform/gateway');

/**
 * Begins the exchange of every request: its id, its deadline, its span context and the headers of all answers. `beginExchange` refuses
 * requests that break HTTP.
 */
export function beginExchange(
  config: { REQUEST_DEADLINE_MS: number; TRACES_SLOW_MS: number },
  log: Logger,
  measurements: Measurements,
) {
  const writeLine = logRequests(log, config.TRACES_SLOW_MS);
  return (request: Request, response: ApiResponse, next: NextFunction): void => {
    const begunAt = performance.now();
    const { socket } = request;
    // A connection has one answer at a time.
    const writtenBefore = socket.bytesWritten;
    const callers = callersContextOf(request);
    const span = beginSpan(methodOf(request), callers);
    const spanContext = spanContextOf(span, callers);
    const ids = idsOf(request, () => (callers === undefined ? `req_${spanContext.traceId}` : newRequestId()));
    const ended = new AbortController();
    const exchange: Exchange & { traceparent: string } = {
      ...ids,
      traceparent: toTraceparent(spanContext),
      joinTrace: (traceparent) => {
        const remote = remoteContext(traceparent);
        if (callers !== undefined || remote === undefined) return;
        span.addLink({ context: remote });
        spanContext.traceId = remote.traceId;
        exchange.traceparent = toTraceparent(spanContext);
      },
      deadline: begunAt + config.REQUEST_DEADLINE_MS,
      authorization: request.headers.authorization,
      belongsTo: (owner) => assignOwner(request, owner),
      context: {},
      route: () => `${methodOf(request)} ${templateOf(routeOf(request))}`,
      ended: ended.signal,
    };
    response.locals.exchange = exchange;
    response.setHeader('x-request-id', ids.requestId);
    for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value);
    response.once('close', () => {
      const delivery: Delivery = { status: response.statusCode, isWhole: wasWritten(response) };
      ended.abort(delivery);
      const durationMs = performance.now() - begunAt - (exchange.context.waitedMs ?? 0);
      measurements.ended(request, response, durationMs, socket.bytesWritten - writtenBefore);
      writeLine(request, response, spanContext, durationMs);
      if (span.isRecording()) endSpan(span, request, response);
    });
    const problem = problemOf(request);
    if (problem !== undefined) response.setHeader('Connection', 'close');
    context.with(trace.setSpan(ROOT_CONTEXT, span), problem === undefined ? next : () => next(problem));
  };
}

/** The ids of a request: the caller's request id, if it is well formed, with an id of our own; else one for both. */
export function idsOf({ headers }: IncomingMessage, newId = newRequestId): RequestIds {
  const own = headers['x-request-id'];
  const isFromCaller = typeof own === 'string' && CALLERS_REQUEST_ID.test(own);
  return isFromCaller ? { requestId: own, callId: newRequestId() } : { requestId: newId() };
}

/** The span context that the caller sent. */
function callersContextOf({ headers }: IncomingMessage): SpanContext | undefined {
  return remoteContext(String(headers.traceparent ?? ''));
}

/**
 * The span context of a caller's `traceparent`, without its flags: a caller that decided about recording could have every request
 * recorded, or hide some. The gateway ignores `tracestate` and `baggage`, which would reach every service.
 */
function remoteContext(traceparent: string): SpanContext | undefined {
  const callers = readTraceparent(traceparent);
  return callers === undefined ? undefined : { ...callers, traceFlags: TraceFlags.NONE };
}

/**
 * The span of a request starts without a parent, so that our own sampler decides about recording. Then the span joins the caller's trace
 * and links to the caller's span. A sampler that saw the caller's context would follow its flag, or its choice of trace id.
 */
function beginSpan(method: string, callers: SpanContext | undefined): Span {
  const links = callers === undefined ? [] : [{ context: callers }];
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, root: true, links });
  const own = span.spanContext();
  if (callers !== undefined && isInTrace(own)) own.traceId = callers.traceId;
  return span;
}

/** The span context of a recorded span, else the caller's, else a new one. */
export function spanContextOf(span: Span, callers: SpanContext | undefined): SpanContext {
  const own = span.spanContext();
  if (isInTrace(own)) return own;
  if (callers !== undefined) return callers;
  const traceId = newTraceId();
  // The parent id matters to nobody: no process records a span of this request.
  return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.NONE };
}

/** The HTTP error of a request that the parser of Node.js accepted; undefined for a correct request. */
function problemOf({ httpVersion, headers, rawHeaders }: IncomingMessage): MalformedRequest | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new MalformedRequest(`HTTP/${httpVersion} is not served here. Use HTTP/1.1.`);
  }
  // RFC 9112, section 6.1. The gateway decodes no other coding, so it would misread the body.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new MalformedRequest('Transfer-Encoding: only chunked is understood, and only in HTTP/1.1.');
  }
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
