import type { IncomingMessage } from 'node:http';

/**
 * Makes Express heed `If-None-Match` beside `Cache-Control: no-cache`, which `fetch` adds to every such request (Fetch,
 * "HTTP-network-or-cache fetch"). The directive is for caches on the way (RFC 9111, section 5.2.1.4); Express would send everything again.
 */
export function heedValidator({ headers }: IncomingMessage): void {
  if (headers['if-none-match'] !== undefined) headers['cache-control'] = undefined;
}
