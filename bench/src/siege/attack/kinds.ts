import { operationPath } from '../../contenders/api.ts';
import type { LargeRequest } from './attack.ts';

/** A way to be a nuisance on a socket. */
export interface HostileKind {
  readonly name: string;
  /** What is sent at once. */
  first(authorization: string, large: LargeRequest): string;
  /** What is sent now and then, on a socket that is still open. */
  readonly again?: string;
  /** Whether answers are never read. */
  readonly leavesUnread?: true;
}

const PUSH = operationPath('record_store.push_record');
const GET = operationPath('record_store.get_record');
const BODY_BYTES = 1000;
/** Together these answers are more than the kernel takes off the gateway's hands for a socket. */
const LARGE_ANSWERS = 8;
const PIPELINED = 64;
const TINY_CHUNKS = 20;
/** Allowed before a request (RFC 9112, section 2.2): on a socket that is not read, only writing tells that it is gone. */
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
