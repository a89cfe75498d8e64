import type { RequestListener } from 'node:http';
import type { RecentCalls } from '@action-platform/service-host';

/** Notes how every request went, those too that are turned away. */
export function notingRecent(recent: RecentCalls, handler: RequestListener): RequestListener {
  return (request, response) => {
    const since = performance.now();
    response.once('close', () => recent.record(performance.now() - since, response.statusCode >= 500));
    handler(request, response);
  };
}
