import { counts, durations } from '@action-platform/telemetry';
import type { ApiResponse } from './api-response.ts';
import { methodOf, type RoutedRequest, routeOf } from './end-span.ts';

const answering = durations('http.server.request.duration');
const turningAway = counts('http.server.turned_away');

/** Measures a request that was answered, by the conventions for HTTP, and the operation that was called. */
export function measureRequest(request: RoutedRequest, response: ApiResponse, durationMs: number): void {
  const { operation, error } = response.locals.exchange.findings;
  answering(durationMs, {
    'http.request.method': methodOf(request),
    'http.response.status_code': response.statusCode,
    'http.route': routeOf(request) ?? '',
    'operation.id': operation ?? '',
    'error.type': error?.code ?? '',
  });
}

/** Counts a request that was turned away. */
export function countTurnedAway(): void {
  turningAway(1);
}
