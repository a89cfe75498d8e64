import type { RequestListener } from 'node:http';
import cors from 'cors';
import { idsOf } from './begin-exchange.ts';

/** How long a browser may cache the answer to a preflight request, in seconds. */
const REMEMBERED_SECONDS = 7_200;

/** Request headers that a page may send, besides the safelisted ones (Fetch, section 2.2.2). */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'traceparent',
  'x-request-id',
  'x-routine-invocation-id',
];

/** Response headers that a page may read, besides the safelisted ones. */
const RESPONSE_HEADERS = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'x-operation-approval-id',
  'x-record-id',
  'x-request-id',
];

/**
 * Permits pages of these origins to call from a browser (CORS; Fetch, section 3.3), with CORS headers on every answer, errors
 * included. Other origins get no such headers. A page sends its token itself, so the gateway permits no cookies.
 */
export function allowingOrigins(origins: readonly string[], handler: RequestListener): RequestListener {
  if (origins.length === 0) return handler;
  const policy = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: REMEMBERED_SECONDS,
  });
  return (request, response) => {
    const { origin } = request.headers;
    if (request.method === 'OPTIONS') {
      // Any other OPTIONS request gets 405.
      if (origin === undefined || !origins.includes(origin)) return handler(request, response);
      response.setHeader('x-request-id', idsOf(request).requestId);
    }
    policy(request, response, () => handler(request, response));
  };
}
