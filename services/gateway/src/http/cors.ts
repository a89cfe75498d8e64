import type { RequestListener } from 'node:http';
import cors from 'cors';
import { requestIdOf } from './exchange.ts';

/** How long a browser may remember what it may send, in seconds. */
const REMEMBERED_SECONDS = 7_200;

/** What a page may send, besides what every page may (Fetch, section 2.2.2). */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'traceparent',
  'x-request-id',
  'x-routine-invocation-id',
];

/** What a page may read of an answer, besides what every page may. */
const RESPONSE_HEADERS = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'x-request-id',
];

/**
 * Lets pages of these origins call from a browser (CORS; Fetch, section 3.3), every answer of theirs included, whoever gives it.
 * Without origins nothing changes, and to pages of others nothing is said. Tokens are sent by the page itself, so no
 * page is ever allowed to make the browser send cookies or the like.
 */
export function allowingOrigins(origins: readonly string[], handler: RequestListener): RequestListener {
  if (origins.length === 0) return handler;
  const policy = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: REMEMBERED_SECONDS,
  });
  return (request, response) => {
    const { origin } = request.headers;
    if (request.method === 'OPTIONS') {
      // Whatever is no question of a page that is allowed to ask is answered as it always was: with 405.
      if (origin === undefined || !origins.includes(origin)) return handler(request, response);
      response.setHeader('x-request-id', requestIdOf(request));
    }
    policy(request, response, () => handler(request, response));
  };
}
