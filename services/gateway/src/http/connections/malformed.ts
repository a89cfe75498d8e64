import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId } from '@action-platform/contracts/ids';
import { MalformedRequest } from '../../dispatch/exchange.ts';
import { COMMON_HEADERS, errorAnswer } from '../answers/http-answer.ts';
import { breakOff } from '../body.ts';

/**
 * Answers malformed HTTP, or a request that takes too long to arrive.
 *
 * @param response the one under way on the connection, or the last one.
 */
export function refuseInput(socket: Socket, response: ServerResponse | undefined, isLate: boolean): void {
  if (response === undefined || (response.writableFinished && response.req.complete)) {
    refuse(socket, isLate ? 'The request took too long to arrive.' : 'The request is not well-formed HTTP.');
  } else if (response.writableFinished || (response.headersSent && response.req.complete)) {
    socket.destroy();
  } else if (response.req.complete) {
    // The malformed input follows the request under way, which keeps its answer.
    response.setHeader('Connection', 'close');
  } else {
    breakOff(response.req, isLate);
  }
}

/** Writes the error envelope where Node.js gives no response object, and closes the connection. */
export function refuse(socket: Socket, message: string, requestId = newRequestId()): void {
  if (!socket.writable) return;
  const { status, headers, body } = errorAnswer(new MalformedRequest(message), requestId, 'http');
  const lines = Object.entries({
    ...headers,
    ...Object.fromEntries(COMMON_HEADERS),
    'Content-Length': body.length,
    'x-request-id': requestId,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n`);
  socket.write(body);
  socket.destroySoon();
}
