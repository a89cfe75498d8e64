import type { IncomingMessage } from 'node:http';
import { errorCatalogue } from '@action-platform/contracts';
import { KEEP_TRACE } from '@action-platform/telemetry';
import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import type { ApiResponse } from './api-response.ts';

/** A request for which a route was found, if there is one. */
export type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** The methods that exist (RFC 9110, section 9; RFC 5789); what else a caller sends is no name. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);

/** The method of a request, by the conventions for HTTP. */
export function methodOf({ method = '' }: IncomingMessage): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** The template of the route that a request took; undefined when there is none for it. */
export function routeOf({ route }: RoutedRequest): string | undefined {
  return typeof route?.path === 'string' ? route.path : undefined;
}

/**
 * Ends the span of a request by the conventions for HTTP. The path is left out, as callers may write anything there: the
 * template of the route says enough.
 */
export function endSpan(span: Span, request: RoutedRequest, response: ApiResponse): void {
  const { requestId, findings } = response.locals.exchange;
  const { statusCode } = response;
  const method = methodOf(request);
  const attributes: Attributes = {
    'http.request.method': method,
    'http.response.status_code': statusCode,
    'url.scheme': 'http',
    'request.id': requestId,
  };
  const route = routeOf(request);
  if (route !== undefined) {
    attributes['http.route'] = route;
    span.updateName(`${method} ${route}`);
  }
  if (findings.operation !== undefined) attributes['operation.id'] = findings.operation;
  if (findings.credential?.kind === 'session') attributes['workspace.id'] = findings.credential.workspaceId;
  if (findings.error !== undefined) {
    const { code } = findings.error;
    attributes['error.type'] = code;
    if (errorCatalogue[code].keepsTrace) attributes[KEEP_TRACE] = true;
  }
  // An answer that broke off after its status was sent is no success either.
  const isWhole = response.writableFinished;
  if (!isWhole) attributes['http.response.broken_off'] = true;
  span.setAttributes(attributes);
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
