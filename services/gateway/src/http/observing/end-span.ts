import type { IncomingMessage } from 'node:http';
import { errorCatalogue } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import { KEEP_TRACE } from '@action-platform/telemetry';
import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import type { RequestContext } from '../../dispatch/exchange.ts';
import { wasWritten } from '../answers/send.ts';
import type { ApiResponse } from '../api-response.ts';

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
  const { error } = locals.exchange.context;
  return error?.isPlatformFailure ?? statusCode >= 500;
}

/** How an answer ended. */
interface Ending {
  /** The status that the caller got; undefined when the caller left before the answer began. */
  readonly status: number | undefined;
  /** Undefined for an answer that was delivered whole. */
  readonly brokenOff: 'caller_left' | 'broken_off' | undefined;
}

/** How the answer of a closed response ended. */
export function ending(response: ApiResponse): Ending {
  const { headersSent, statusCode, locals } = response;
  if (!headersSent) return { status: undefined, brokenOff: 'caller_left' };
  const isWhole = wasWritten(response) || locals.exchange.context.isStream === true;
  return { status: statusCode, brokenOff: isWhole ? undefined : 'broken_off' };
}

/** The value of `error.type`: a call beyond the limit of its Workspace is no failure of the platform. */
export function errorTypeOf(response: ApiResponse): string {
  const { error } = response.locals.exchange.context;
  if (error === undefined) return ending(response).brokenOff ?? '';
  return error.limitedForMs === undefined ? error.code : 'workspace_limit';
}

/** The message of a request by the semantic conventions for MCP; empty when it has none. */
export function mcpAttributes({ mcp, operation }: RequestContext): Attributes {
  if (mcp === undefined) return {};
  const attributes = { 'mcp.method.name': mcp.method, 'mcp.protocol.version': mcp.version };
  if (operation === undefined) return attributes;
  const tool = toolName(operation);
  return { ...attributes, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
}

/**
 * Ends the span of a request by the semantic conventions for HTTP, and for MCP when the request has such a message. The span has the
 * template of the route instead of the path, which is input of the caller.
 */
export function endSpan(span: Span, request: RoutedRequest, response: ApiResponse): void {
  const { requestId, context } = response.locals.exchange;
  const { status, brokenOff } = ending(response);
  const method = methodOf(request);
  const attributes: Attributes = {
    'http.request.method': method,
    ...(status !== undefined && { 'http.response.status_code': status }),
    'url.scheme': 'http',
    'request.id': requestId,
  };
  const route = routeOf(request);
  if (route !== undefined) {
    attributes['http.route'] = route;
    span.updateName(`${method} ${route}`);
  }
  const { mcp, operation } = context;
  if (mcp !== undefined) {
    Object.assign(attributes, mcpAttributes(context));
    span.updateName(operation === undefined ? mcp.method : `${mcp.method} ${toolName(operation)}`);
  }
  if (operation !== undefined) attributes['operation.id'] = operation;
  if (context.credential?.kind === 'session') attributes['workspace.id'] = context.credential.workspaceId;
  const { error } = context;
  const errorType = errorTypeOf(response);
  if (errorType !== '') attributes['error.type'] = errorType;
  const isOfPlatform = error !== undefined && error.limitedForMs === undefined;
  if (isOfPlatform && errorCatalogue[error.code].keepsTrace) attributes[KEEP_TRACE] = true;
  if (context.waitedMs !== undefined) attributes[KEEP_TRACE] ??= false;
  // An answer that broke off after its status was sent has failed too.
  if (brokenOff !== undefined) attributes['http.response.broken_off'] = true;
  span.setAttributes(attributes);
  if (hasFailed(response)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
