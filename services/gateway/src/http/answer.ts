import { pipeline } from 'node:stream/promises';
import { type BusReply, busHeaders } from '@action-platform/bus';
import { ActionError } from '@action-platform/contracts';
import type { ApiResponse } from './exchange.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with a reply from the bus: its bytes are the body, as they come. */
export async function answerWithReply(response: ApiResponse, reply: BusReply): Promise<void> {
  response.statusCode = reply.status;
  response.setHeader('Content-Type', JSON_TYPE);
  copyHeader(response, 'Retry-After', reply.header(busHeaders.retryAfter));
  copyHeader(response, 'Idempotent-Replayed', reply.header(busHeaders.replayed));
  if (reply.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (reply.more === undefined) {
    response.end(reply.body);
  } else {
    // A failure on the way destroys the connection: the caller sees that the body is not whole.
    await pipeline(wholeBody(reply.body, reply.more), response).catch(() => response.destroy());
  }
}

async function* wholeBody(first: Uint8Array, more: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield* more;
  } finally {
    await more.return(undefined);
  }
}

function copyHeader(response: ApiResponse, name: string, value: string): void {
  if (value !== '') response.setHeader(name, value);
}

/** Answers with JSON. */
export function answerWithJson(response: ApiResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  response.end(text);
}

/** Answers with the error envelope; what is no ActionError is a failure of ours. */
export function answerWithError(response: ApiResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const refusal = error instanceof ActionError ? error : new ActionError('action_infrastructure_failure');
  const envelope = refusal.toEnvelope(response.locals.requestId);
  if (refusal.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (refusal.retryAfter !== undefined) response.setHeader('Retry-After', String(refusal.retryAfter));
  answerWithJson(response, refusal.status, JSON.stringify(envelope));
}
