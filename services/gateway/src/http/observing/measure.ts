import { customCall, isCustomId } from '@action-platform/contracts/operations';
import type { RecentCalls } from '@action-platform/service-host';
import { counts, durations, gauges } from '@action-platform/telemetry';
import type { Shed } from '../../dispatch/admission.ts';
import type { ApiResponse } from '../api-response.ts';
import {
  ending,
  errorTypeOf,
  hasFailed,
  mcpAttributes,
  methodOf,
  type RoutedRequest,
  routeOf,
} from './end-span.ts';

const answering = durations('http.server.request.duration');
const serving = durations('mcp.server.operation.duration');
const countShed = counts('http.server.rejected_requests');

/** Measures every request, for the metrics and for the status of the gateway. */
export class Measurements {
  readonly #recent: RecentCalls;

  constructor(recent: RecentCalls) {
    this.#recent = recent;
    gauges('workspace.calls', () =>
      recent.workspaces.busiest().flatMap(({ workspaceId, calls, refused }) => [
        { value: calls - refused, attributes: { 'workspace.id': workspaceId, outcome: 'answered' } },
        { value: refused, attributes: { 'workspace.id': workspaceId, outcome: 'refused' } },
      ]),
    );
  }

  /**
   * A request has ended. The attributes are those of the semantic conventions for HTTP, and the operation.
   *
   * @param answerBytes the bytes of the answer, with its head.
   */
  ended(request: RoutedRequest, response: ApiResponse, durationMs: number, answerBytes: number): void {
    const { context } = response.locals.exchange;
    const { error, mcp } = context;
    // A Workspace may have any custom operations: metrics count them together.
    const isCustom = context.operation !== undefined && isCustomId(context.operation);
    const operation = isCustom ? customCall.id : context.operation;
    const { status } = ending(response);
    const errorType = errorTypeOf(response);
    const attributes = {
      'http.request.method': methodOf(request),
      ...(status !== undefined && { 'http.response.status_code': status }),
      'http.route': routeOf(request) ?? '',
      'operation.id': operation ?? '',
      'error.type': errorType,
    };
    answering(durationMs, attributes);
    if (mcp !== undefined)
      serving(durationMs, {
        ...mcpAttributes({ mcp, ...(operation !== undefined && { operation }) }),
        'error.type': errorType,
      });
    this.#recent.record(durationMs, hasFailed(response));
    const bodyBytes = Number(request.headers['content-length']) || 0;
    this.#recent.workspaces.record(context.workspaceId, error !== undefined, bodyBytes + answerBytes);
  }

  /** A request was refused unread; a request beyond the limit of its Workspace is no failure of the platform. */
  shed({ workspaceId, isLimited }: Pick<Shed, 'workspaceId' | 'isLimited'>): void {
    if (!isLimited) countShed(1);
    this.#recent.record(0, !isLimited);
    this.#recent.workspaces.record(workspaceId, true);
  }
}
