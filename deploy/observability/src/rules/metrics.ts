/** The job under which Prometheus knows the processes of the platform; `service` says what each of them is. */
export const JOB = 'action-platform';

const WATCHERS = 'http_route!~"/livez|/readyz"';
const FAILED = 'http_response_status_code=~"5.."';

/** Of how many requests a second a window is, apart from those that ask whether it is ready; also those turned away. */
export function requests(window: string): string {
  return `(sum(rate(http_server_request_duration_count{${WATCHERS}}[${window}])) + ${turnedAway(window)})`;
}

/** How many of them a second failed. */
export function failedRequests(window: string): string {
  return failed('rate', window);
}

/** How many of them failed in all of it. */
export function failures(window: string): string {
  return failed('increase', window);
}

/** Nothing is told of what has never happened. */
function failed(how: 'rate' | 'increase', window: string): string {
  return `((sum(${how}(http_server_request_duration_count{${WATCHERS}, ${FAILED}}[${window}])) or vector(0)) + ${turnedAway(window, how)})`;
}
function turnedAway(window: string, how: 'rate' | 'increase' = 'rate'): string {
  return `(sum(${how}(http_server_turned_away_total[${window}])) or vector(0))`;
}

/** Operations a second that were answered. */
export function answeredOperations(window: string): string {
  return `sum(rate(http_server_request_duration_count{operation_id!="", http_response_status_code!~"5.."}[${window}]))`;
}

/** How many of them took no longer than a bound, which is one of the buckets of the histogram. */
export function fastOperations(window: string, seconds: number): string {
  return `sum(rate(http_server_request_duration_bucket{operation_id!="", http_response_status_code!~"5..", le="${seconds}"}[${window}]))`;
}

/** A percentile of a histogram, for each value of some labels. */
export function percentile(share: number, histogram: string, by: readonly string[], filter = ''): string {
  return `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (rate(${histogram}_bucket{${filter}}[$__rate_interval])))`;
}
