import { operationPath } from '../../contenders/api.ts';
import type { LargeRequest } from './attack.ts';

/** A kind of hostile socket. */
export interface HostileKind {
  readonly name: string;
  /** The text to send first. */
  first(authorization: string, large: LargeRequest): string;
  /** The text to repeat while the socket is open. */
  readonly again?: string;
  /** Whether answers are never read. */
  readonly leavesUnread?: true;
}

const PUSH = operationPath('record_store.push_record');
const GET = operationPath('record_store.get_record');
const BODY_BYTES = 1000;
/** Together these answers exceed the kernel's buffers of a socket. */
const LARGE_ANSWERS = 8;
const PIPELINED = 64;
const TINY_CHUNKS = 20;
/** Allowed before a request (RFC 9112, section 2.2): on an unread socket, only a write detects that it was closed. */
const NOTHING = '\r\n';

/** Every kind. */
export const hostileKinds: readonly HostileKind[] = [
  {
    name: 'no body',
    first: (authorization) => head('POST', PUSH, authorization, `Content-Length: ${BODY_BYTES}`),
  },
  {
    name: 'slow body',
    first: (authorization) => head('POST', PUSH, authorization, `Content-Length: ${BODY_BYTES}`),
    again: ' ',
  },
  {
    name: '1-byte chunks',
    first: (authorization) => head('POST', PUSH, authorization, 'Transfer-Encoding: chunked'),
    again: '1\r\n \r\n'.repeat(TINY_CHUNKS),
  },
  {
    name: 'no reading',
    first: (authorization, { method, path, body }) =>
      `${head(method, path, authorization, `Content-Length: ${body.length}`)}${body}`.repeat(LARGE_ANSWERS),
    again: NOTHING,
    leavesUnread: true,
  },
  {
    name: 'half-open',
    first: (authorization) => head('POST', PUSH, authorization, 'Content-Length: 2').slice(0, -20),
  },
  {
    name: 'pipelined',
    first: (authorization) => `${head('POST', GET, authorization, 'Content-Length: 2')}{}`.repeat(PIPELINED),
    again: NOTHING,
    leavesUnread: true,
  },
];

function head(method: string, path: string, authorization: string, framing: string): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: siege',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    framing,
    '\r\n',
  ].join('\r\n');
}
