import { ANSWERED, LineLevels, type Logger } from '@action-platform/service-host';
import type { SpanContext } from '@opentelemetry/api';
import type { RequestContext } from '../../dispatch/exchange.ts';
import { principalIn } from '../../dispatch/principal-in.ts';
import type { ApiResponse } from '../api-response.ts';
import { ending, methodOf, type RoutedRequest, routeOf } from './end-span.ts';

/** Logs a request: caller, operation, outcome and durations; never its content. */
export function logRequests(log: Logger, slowMs: number) {
  const levels = new LineLevels(slowMs);
  return (
    request: RoutedRequest,
    response: ApiResponse,
    spanContext: SpanContext,
    durationMs: number,
  ): void => {
    const { requestId, context } = response.locals.exchange;
    const { operation, error, bodyMs, authorityMs, serviceMs } = context;
    const level = levels.of(error, durationMs, spanContext);
    if (!log.isLevelEnabled(level)) return;
    const { status, brokenOff } = ending(response);
    log[level](
      {
        request_id: requestId,
        trace_id: spanContext.traceId,
        span_id: spanContext.spanId,
        method: methodOf(request),
        route: routeOf(request),
        operation,
        ...callerOf(context),
        status,
        code: error?.code ?? brokenOff ?? 'ok',
        duration_ms: Math.round(durationMs),
        body_ms: wholeMs(bodyMs),
        authority_ms: wholeMs(authorityMs),
        service_ms: wholeMs(serviceMs),
      },
      ANSWERED,
    );
  };
}

/** The caller, by the principal or by the session token. */
function callerOf({ principal, credential }: RequestContext): object {
  const known = principalIn(principal);
  if (known !== undefined) {
    const { workspaceId, userId, routine, operationGrantId } = known;
    return { workspace_id: workspaceId, user_id: userId, grant_id: routine?.id ?? operationGrantId };
  }
  if (credential?.kind !== 'session') return {};
  return { workspace_id: credential.workspaceId, user_id: credential.userId };
}

function wholeMs(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds);
}
