import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isWhole } from '../body.ts';
import type { HttpAnswer } from './http-answer.ts';

/**
 * The largest write, in bytes: room for a chunk of a service's answer, also when its usual text is escaped. `stalled-answers.ts` cannot measure the
 * progress of a slow caller within one write.
 */
const WRITE_BYTES = 96 * 1024;

/** How long a client that is still sending may take to notice the answer, in milliseconds. */
const LINGER_MS = 1_000;

/** The responses whose answers were written whole while their clients were still sending: Node.js ends none of these itself. */
const writtenEarly = new WeakSet<ServerResponse>();

/** Whether the answer of a closed response was written whole to its connection. */
export function wasWritten(response: ServerResponse): boolean {
  return response.writableFinished || writtenEarly.has(response);
}

/**
 * Sends an answer, the last one on its connection when the request is incomplete or the caller unauthenticated: the gateway
 * then ignores requests pipelined behind it.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpAnswer,
): Promise<void> {
  const { status, headers, body, more } = answer;
  const wasWhole = await isWhole(request);
  if (response.headersSent || response.destroyed) {
    await more?.return(undefined);
    response.destroy();
    return;
  }
  response.statusCode = status;
  for (const name in headers) response.setHeader(name, headers[name]!);
  if (!wasWhole || status === 401) response.setHeader('Connection', 'close');
  if (request.method === 'HEAD' && wasWhole && more !== undefined) {
    await more.return(undefined);
    response.end();
    return;
  }
  if (more !== undefined || (wasWhole && body.length > WRITE_BYTES)) {
    if (more === undefined) response.setHeader('Content-Length', body.length);
    // A failure on the way destroys the connection: the client sees an incomplete body.
    await pipeline(writesOf(body, more), response).catch(() => response.destroy());
    // Not in writesOf: when a caller leaves before the first byte, that generator never starts.
    await more?.return(undefined);
  } else if (wasWhole || response.socket === null) {
    response.end(body);
  } else {
    endWithoutRest(request, response, body);
  }
}

async function* writesOf(
  first: Uint8Array,
  more: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  yield* split(first);
  for await (const chunk of more ?? []) yield* split(chunk);
}

function* split(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += WRITE_BYTES) yield bytes.subarray(at, at + WRITE_BYTES);
}

/**
 * Answers and closes the connection although the client is still sending. Closing it at once would lose the answer (RFC 9112,
 * section 9.6), so the gateway discards input for a moment first.
 */
function endWithoutRest(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
  const { socket } = request;
  response.setHeader('Content-Length', body.length);
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  socket.once('finish', () => writtenEarly.add(response)).end();
  const close = () => socket.destroySoon();
  const timer = setTimeout(close, LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  request.once('end', close).on('error', close).resume();
}
