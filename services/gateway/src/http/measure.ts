import type { RecentCalls } from '@action-platform/service-host';
import { counts, durations } from '@action-platform/telemetry';
import type { ApiResponse } from './api-response.ts';
import { methodOf, type RoutedRequest, routeOf } from './end-span.ts';

const answering = durations('http.server.request.duration');
const turningAway = counts('http.server.turned_away');

/** Where every request is measured: for the metrics, and for who asks a gateway how it is. */
export class Measurements {
  readonly #recent: RecentCalls;

  constructor(recent: RecentCalls) {
    this.#recent = recent;
  }

  /** A request was answered: by the conventions for HTTP, with the operation that was called. */
  answered(request: RoutedRequest, response: ApiResponse, durationMs: number): void {
    const { operation, error } = response.locals.exchange.findings;
    const attributes = {
      'http.request.method': methodOf(request),
      'http.response.status_code': response.statusCode,
      'http.route': routeOf(request) ?? '',
      'operation.id': operation ?? '',
      'error.type': error?.code ?? '',
    };
    answering(durationMs, attributes);
    this.#recent.record(durationMs, response.statusCode >= 500);
  }

  /** A request was turned away. */
  turnedAway(): void {
    turningAway(1);
    this.#recent.record(0, true);
  }
}
