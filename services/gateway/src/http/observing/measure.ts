import { customCall, isCustomId } from '@action-platform/contracts/operations';
import type { RecentCalls } from '@action-platform/service-host';
import { counts, durations } from '@action-platform/telemetry';
import type { ApiResponse } from '../api-response.ts';
import { hasFailed, mcpAttributes, methodOf, type RoutedRequest, routeOf } from './end-span.ts';

const answering = durations('http.server.request.duration');
const serving = durations('mcp.server.operation.duration');
const countShed = counts('http.server.rejected_requests');

/** Measures every request, for the metrics and for the status of the gateway. */
export class Measurements {
  readonly #recent: RecentCalls;

  constructor(recent: RecentCalls) {
    this.#recent = recent;
  }

  /** A request was answered. The attributes are those of the semantic conventions for HTTP, and the operation. */
  answered(request: RoutedRequest, response: ApiResponse, durationMs: number): void {
    const { context } = response.locals.exchange;
    const { error, mcp } = context;
    // A Workspace may have any custom operations: metrics count them together.
    const isCustom = context.operation !== undefined && isCustomId(context.operation);
    const operation = isCustom ? customCall.id : context.operation;
    const attributes = {
      'http.request.method': methodOf(request),
      'http.response.status_code': response.statusCode,
      'http.route': routeOf(request) ?? '',
      'operation.id': operation ?? '',
      'error.type': error?.code ?? '',
    };
    answering(durationMs, attributes);
    if (mcp !== undefined)
      serving(durationMs, {
        ...mcpAttributes({ mcp, ...(operation !== undefined && { operation }) }),
        'error.type': error?.code ?? '',
      });
    this.#recent.record(durationMs, hasFailed(response));
  }

  shed(): void {
    countShed(1);
    this.#recent.record(0, true);
  }
}
