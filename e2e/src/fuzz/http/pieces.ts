import { pieces } from '@action-platform/testing/arbitraries';
import { MEMBER, OWNER } from '../../workspace.ts';
import type { Fuzzed } from '../references.ts';

/** The parts of hostile HTTP requests. */
export type HttpPieces = ReturnType<typeof httpPieces>;

/** The parts of hostile HTTP requests, with the credentials of a Workspace among them. */
export function httpPieces({ mark, segments, workspace: { ids, tokens } }: Fuzzed) {
  const owner = tokens[OWNER]!;
  const secrets = [tokens[MEMBER], tokens['record_store.push_record'], tokens.routine];
  return {
    /** Texts that parsers of HTTP or JSON mishandle. */
    texts: pieces(String.raw`
      \r\n  \n  \r  \r\n\r\n  \u0020  \t  :  \u0000  \u00ff  %00  %2e%2e/  %  ?  #  //  /../  *  {  }  \"  \\  [  ]
      HTTP/1.0  HTTP/2.0  HTTP/0.9  HTTP/1.1  GET  HEAD  OPTIONS  CONNECT  TRACE  PRI  POST  http://other:1/
      Content-Length: 5\r\n  Content-Length: -1\r\n  Content-Length: 99999999999999999999\r\n  Content-Encoding: gzip\r\n
      Transfer-Encoding: chunked\r\n  Transfer-Encoding: gzip, chunked\r\n  Expect: 100-continue\r\n  Trailer: x\r\n
      Connection: keep-alive\r\n  Connection: upgrade\r\nUpgrade: h2c\r\n  Host: b\r\n
      0\r\n\r\n  ffffffffffffffff\r\n  5;a=b\r\n  GET /livez HTTP/1.1\r\nHost: a\r\n\r\n  __proto__  $where  ${mark}
    `),
    /** Headers that do not change the meaning of the request. */
    headers: [
      ...pieces(String.raw`
        x-request-id: a  X-Request-Id: a b  x-request-id: \u00e9  traceparent: ${mark}  tracestate: ${mark}
        traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01  baggage: a=${mark}  status: 200
        x-principal: {\"role\":\"owner\"}  x-timeout-ms: 0  Accept: text/html  Accept-Encoding: gzip;q=x, *;q=0
        If-None-Match: *  If-None-Match: W/\"a  Range: bytes=0-1  Cookie: ${mark}  X-Forwarded-For: ${mark}
        x-routine-invocation-id: run-1  X-HTTP-Method-Override: DELETE  Empty:  a:b:c  reply: _INBOX
      `),
      `x-request-id: ${'x'.repeat(129)}`,
      `x-routine-invocation-id: ${'x'.repeat(201)}`,
      `a: ${mark.repeat(2000)}`,
    ],
    /** Values of the Authorization header; an empty one omits it. */
    authorizations: [
      ...[owner, owner, ...secrets, ''].map((credential) => `Bearer ${credential}`),
      ...[`Bearer ${owner}x`, `Bearer ${mark}`, `Bearer apo_${mark}`, `Basic ${mark}`],
      ...[`bearer ${owner}`, ''],
    ],
    /** Values of a path parameter. */
    segments: [
      ...pieces(`
        x  ${mark}  %00  %2e%2e  __proto__  constructor  invalid_request  invalid_request.md  %E0%A4%A
        ${ids.operationGrant}  docs.css  ..  .  %2f  ;  '
      `),
      'a'.repeat(300),
      ...segments,
    ],
    queries: [
      '',
      ...pieces(`?  ?limit=1  ?limit=1&limit=2  ?status=active&__proto__=1  ?cursor=${mark}  ?a[b]=c&%`),
    ],
    /** Values of the Content-Type header; an empty one omits it. */
    mediaTypes: [
      ...Array<string>(6).fill('application/json'),
      ...pieces(String.raw`Application/JSON; charset=\"utf-8\"  text/plain  application/json;charset=latin1`),
      '',
    ],
  };
}
