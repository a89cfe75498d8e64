import type { IncomingMessage } from 'node:http';

/**
 * Lets `If-None-Match` count whatever `Cache-Control` says beside it. A program's `fetch` says `no-cache` with each (Fetch,
 * "HTTP-network-or-cache fetch"); that is for the caches on the way (RFC 9111, section 5.2.1.4), but Express would take it for
 * a wish to be given everything again.
 */
export function heedValidator({ headers }: IncomingMessage): void {
  if (headers['if-none-match'] !== undefined) headers['cache-control'] = undefined;
}
