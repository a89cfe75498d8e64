import { type BusAnswer, busHeaders } from '@action-platform/bus';
import { ActionError, type Effect, failureOf, type Place } from '@action-platform/contracts';
import { hasStream, JsonBusyError, jsonChunks, stringifyJson } from '@action-platform/json';
import { failureLines } from '../logging/failure-lines.ts';
import type { CallContext } from './context.ts';

/** About how much of a streamed answer is put together before it is sent, in bytes. */
const CHUNK_BYTES = 64 * 1024;

const encoder = new TextEncoder();

const causes = failureLines();

/**
 * A handler's result as the answer to its request. What can fail in its first part fails here.
 *
 * @param letIn lets in one more answer that is streamed, when its turn comes; what it returns lets go of it.
 */
export async function resultAnswer(
  result: unknown,
  headers: Readonly<Record<string, string>>,
  letIn: () => Promise<() => void>,
): Promise<BusAnswer> {
  if (!hasStream(result)) return { status: 200, headers, body: encoder.encode(stringifyJson(result)) };
  const body = new Streamed(jsonChunks(result, { chunkBytes: CHUNK_BYTES }), await letIn());
  await body.begin();
  return { status: 200, headers, body };
}

/** The chunks of a streamed answer; lets go of its place when it ends, is returned or fails. */
class Streamed implements AsyncIterator<Uint8Array> {
  readonly #chunks: AsyncGenerator<string>;
  #leave: (() => void) | undefined;
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(chunks: AsyncGenerator<string>, leave: () => void) {
    this.#chunks = chunks;
    this.#leave = leave;
  }

  /** Makes the first chunk. */
  async begin(): Promise<void> {
    this.#first = await this.next();
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return first;
    try {
      const { done, value } = await this.#chunks.next();
      if (!done) return { value: encoder.encode(value) };
    } catch (error) {
      this.#end();
      throw error;
    }
    this.#end();
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    await this.#chunks.return(undefined);
    return { done: true, value: undefined };
  }

  #end(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}

/** A refusal or failure as the answer to a request, with a `next` that can be taken where its caller met it. */
export function errorAnswer(error: ActionError, requestId: string, place: Place): BusAnswer {
  const envelope = error.toEnvelope(requestId, place);
  const headers: Record<string, string> = { [busHeaders.errorCode]: error.code };
  if (error.retryAfter !== undefined) headers[busHeaders.retryAfter] = String(error.retryAfter);
  return {
    status: error.status,
    headers,
    body: encoder.encode(JSON.stringify(envelope)),
  };
}

/**
 * The catalogue's word for whatever a handler threw. What is no ActionError is a failure of ours: a read
 * that failed did nothing and can be repeated, of a write the outcome is unknown.
 */
export function toActionError(
  error: unknown,
  effect: Effect,
  context: Pick<CallContext, 'log'>,
): ActionError {
  if (error instanceof ActionError) return error;
  // What a call sent is worked on before anything is written.
  if (error instanceof JsonBusyError) return new ActionError('action_platform_unavailable');
  if (causes.take()) context.log.error({ err: error }, 'call failed');
  return new ActionError(failureOf(effect));
}
