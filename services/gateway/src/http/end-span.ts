import type { IncomingMessage } from 'node:http';
import { errorCatalogue } from '@action-platform/contracts';
import { KEEP_TRACE } from '@action-platform/telemetry';
import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import type { RequestContext } from '../dispatch/exchange.ts';
import type { ApiResponse } from './api-response.ts';

/** A request, with its route if one matched. */
export type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** The standard methods (RFC 9110, section 9; RFC 5789). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);

/** The method of a request, as the semantic conventions for HTTP record it. */
export function methodOf({ method = '' }: IncomingMessage): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** The template of the matched route; undefined when none matched. */
export function routeOf({ route }: RoutedRequest): string | undefined {
  return typeof route?.path === 'string' ? route.path : undefined;
}

/** Whether the platform failed a request; a refused call of a tool is a result with the status 200. */
export function hasFailed({ statusCode, locals }: ApiResponse): boolean {
  return statusCode >= 500 || (locals.exchange.context.error?.status ?? 0) >= 500;
}

/** A message by the semantic conventions for MCP. */
export function mcpAttributes({ method, version, tool }: NonNullable<RequestContext['mcp']>): Attributes {
  const attributes = { 'mcp.method.name': method, 'mcp.protocol.version': version };
  if (tool === undefined) return attributes;
  return { ...attributes, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
}

/**
 * Ends the span of a request by the semantic conventions for HTTP, and for MCP when it has such a message. It has the template of the route instead of the path, which
 * is input of the caller.
 */
export function endSpan(span: Span, request: RoutedRequest, response: ApiResponse): void {
  const { requestId, context } = response.locals.exchange;
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
  if (context.mcp !== undefined) {
    const { method: message, tool } = context.mcp;
    Object.assign(attributes, mcpAttributes(context.mcp));
    span.updateName(tool === undefined ? message : `${message} ${tool}`);
  }
  if (context.operation !== undefined) attributes['operation.id'] = context.operation;
  if (context.credential?.kind === 'session') attributes['workspace.id'] = context.credential.workspaceId;
  if (context.error !== undefined) {
    const { code } = context.error;
    attributes['error.type'] = code;
    if (errorCatalogue[code].keepsTrace) attributes[KEEP_TRACE] = true;
  }
  if (context.waitedMs !== undefined) attributes[KEEP_TRACE] ??= false;
  // An answer that broke off after its status was sent has failed too.
  const isWhole = response.writableFinished;
  if (!isWhole) attributes['http.response.broken_off'] = true;
  span.setAttributes(attributes);
  if (hasFailed(response)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
