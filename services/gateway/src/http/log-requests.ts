import type { Principal } from '@action-platform/contracts';
import { ANSWERED, LineLevels, type Logger } from '@action-platform/service-host';
import type { SpanContext } from '@opentelemetry/api';
import type { Findings } from '../dispatch/exchange.ts';
import type { ApiResponse } from './api-response.ts';
import { methodOf, type RoutedRequest, routeOf } from './end-span.ts';

/** Writes the line of a request: who, what, how it went and what took how long; never what was in it. */
export function logRequests(log: Logger, slowMs: number) {
  const levels = new LineLevels(slowMs);
  return (request: RoutedRequest, response: ApiResponse, place: SpanContext, durationMs: number): void => {
    const { requestId, findings } = response.locals.exchange;
    const { operation, error, authorityMs, serviceMs } = findings;
    const level = levels.of(error, durationMs, place);
    if (!log.isLevelEnabled(level)) return;
    log[level](
      {
        request_id: requestId,
        trace_id: place.traceId,
        span_id: place.spanId,
        method: methodOf(request),
        route: routeOf(request),
        operation,
        ...callerOf(findings),
        status: response.statusCode,
        code: error?.code ?? 'ok',
        duration_ms: Math.round(durationMs),
        authority_ms: wholeMs(authorityMs),
        service_ms: wholeMs(serviceMs),
      },
      ANSWERED,
    );
  };
}

/** Whose call it was: as grants said, or the token of a session. */
function callerOf({ principal, credential }: Findings): object {
  if (principal !== undefined) {
    const { workspaceId, userId, routine, operationGrantId } = principalIn(principal);
    return { workspace_id: workspaceId, user_id: userId, grant_id: routine?.id ?? operationGrantId };
  }
  if (credential?.kind !== 'session') return {};
  return { workspace_id: credential.workspaceId, user_id: credential.userId };
}

/** What is in a principal; nothing, if grants did not answer as it should. */
function principalIn(text: string): Partial<Principal> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function wholeMs(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds);
}
