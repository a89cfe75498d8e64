import { type BusAnswer, busHeaders } from '@action-platform/bus';
import { ActionError, type Place } from '@action-platform/contracts';
import { hasStream, JsonBusyError, jsonChunks, stringifyJson } from '@action-platform/json';
import type { Logger } from '../logging.ts';

/** About how much of a streamed answer is put together before it is sent, in bytes. */
const CHUNK_BYTES = 128 * 1024;

const encoder = new TextEncoder();

/** A handler's result as the answer to its request. What can fail in its first part fails here. */
export async function resultAnswer(
  result: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<BusAnswer> {
  if (!hasStream(result)) return { status: 200, headers, body: encoder.encode(stringifyJson(result)) };
  const chunks = encoded(jsonChunks(result, { chunkBytes: CHUNK_BYTES }));
  const first = await chunks.next();
  return { status: 200, headers, body: startingWith(first, chunks) };
}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield encoder.encode(chunk);
}

async function* startingWith(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** A refusal or failure as the answer to a request, with a `next` that can be taken where its caller met it. */
export function errorAnswer(error: ActionError, requestId: string, place: Place): BusAnswer {
  const envelope = error.toEnvelope(requestId, place);
  return {
    status: error.status,
    headers: error.retryAfter === undefined ? {} : { [busHeaders.retryAfter]: String(error.retryAfter) },
    body: encoder.encode(JSON.stringify(envelope)),
  };
}

/**
 * The catalogue's word for whatever a handler threw. What is no ActionError is a failure of ours: a read
 * that failed did nothing and can be repeated, of a write the outcome is unknown.
 */
export function toActionError(error: unknown, effect: 'read' | 'write', log: Logger): ActionError {
  if (error instanceof ActionError) return error;
  // What a call sent is worked on before anything is written.
  if (error instanceof JsonBusyError) return new ActionError('action_platform_unavailable');
  log.error({ err: error }, 'call failed');
  return effect === 'read'
    ? new ActionError('action_platform_unavailable')
    : new ActionError('action_infrastructure_failure');
}
