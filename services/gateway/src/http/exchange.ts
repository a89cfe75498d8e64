import type { IncomingMessage } from 'node:http';
import { ActionError } from '@action-platform/contracts';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { requestIdFor } from './request-id.ts';

/** What is known of the request being answered. */
interface Exchange {
  readonly requestId: string;
  /** When the caller is answered at the latest, in milliseconds of `performance.now()`. */
  readonly deadline: number;
}

/** A response whose exchange has begun. */
export type ApiResponse = Response<unknown, Exchange>;

const tracer = trace.getTracer('@action-platform/gateway');

/**
 * Begins the exchange of every request: its id, its deadline, its place in the trace, and the headers that
 * all answers carry.
 */
export function beginExchange(limits: { REQUEST_DEADLINE_MS: number }) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
    const requestId = requestIdFor(request.get('x-request-id'), span);
    response.locals.requestId = requestId;
    response.locals.deadline = performance.now() + limits.REQUEST_DEADLINE_MS;
    response.set({
      'x-request-id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    if (span.isRecording()) response.once('close', () => endSpan(span, request, response));
    context.with(trace.setSpan(parent, span), next);
  };
}

/** Refuses to begin what could not be answered in time because the request itself took too long to arrive. */
export function requireTimeLeft({ locals }: ApiResponse): void {
  if (performance.now() < locals.deadline) return;
  throw new ActionError('invalid_request', { message: 'The request body took too long to arrive.' });
}

/** Milliseconds left until the deadline of an exchange; at least 1. */
export function timeLeft({ locals }: ApiResponse): number {
  return Math.max(1, locals.deadline - performance.now());
}

function endSpan(
  span: Span,
  request: IncomingMessage & { route?: { path?: unknown } },
  response: Response,
): void {
  const route = String(request.route?.path ?? '');
  if (route !== '') span.updateName(`${request.method} ${route}`);
  span.setAttributes({
    'http.request.method': request.method ?? '',
    'http.route': route,
    'http.response.status_code': response.statusCode,
    'request.id': response.locals.requestId,
  });
  if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
