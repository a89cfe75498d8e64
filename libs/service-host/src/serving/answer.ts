import { type BusAnswer, busHeaders, CHUNK_BYTES, inChunks } from '@action-platform/bus';
import { hasTimeLeft } from '@action-platform/contracts/calls';
import { ActionError, type Effect, failureOf, type RouteKind } from '@action-platform/contracts/errors';
import { hasStream, JsonBusyError, jsonChunks, stringifyJson } from '@action-platform/json';
import { failureLines } from '../logging/failure-lines.ts';
import type { CallContext } from './context.ts';
import { TextStream } from './text-stream.ts';

const encoder = new TextEncoder();

const causes = failureLines();

/** Admits an answer of this number of bytes that does not fit one message, when a slot is free; the result ends it. */
export type AdmitLongAnswer = (bytes: number) => Promise<() => void>;

/** A handler's result as the answer to its request. A failure in its first part rejects. */
export async function resultAnswer(
  result: unknown,
  headers: Readonly<Record<string, string>>,
  admit: AdmitLongAnswer,
): Promise<BusAnswer> {
  const status = 200;
  const stream = streamOf(result);
  if (stream !== undefined) {
    const body = new LongBody(encoded(stream.chunks), await admit(stream.bytes));
    await body.begin();
    return { status, headers, body };
  }
  const body = encoder.encode(stringifyJson(result));
  if (body.length <= CHUNK_BYTES) return { status, headers, body };
  return { status, headers, body: new LongBody(inChunks(body), await admit(body.length)) };
}

/** The text of a result that is streamed; undefined for any other. */
function streamOf(result: unknown): TextStream | undefined {
  if (result instanceof TextStream) return result;
  const own = (result as { readonly result?: unknown } | null)?.result;
  if (own instanceof TextStream) return new TextStream(inResult(own.chunks), own.bytes);
  return hasStream(result) ? new TextStream(jsonChunks(result, { chunkBytes: CHUNK_BYTES })) : undefined;
}

/** The JSON text of an operation's result, in the object that answers it. */
async function* inResult(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '{"result":';
  for await (const chunk of chunks) {
    if (text.length + chunk.length > CHUNK_BYTES) {
      yield text;
      text = '';
    }
    text += chunk;
  }
  yield `${text}}`;
}

async function* encoded(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of chunks) yield encoder.encode(text);
}

/** The chunks of a long answer; its admission ends when it ends, is returned or fails. */
class LongBody implements AsyncIterator<Uint8Array> {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #leave: (() => void) | undefined;
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(chunks: AsyncGenerator<Uint8Array>, leave: () => void) {
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
      const next = await this.#chunks.next();
      if (next.done) this.#end();
      return next;
    } catch (error) {
      this.#end();
      throw error;
    }
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

/** A refusal or failure as the answer to a request, with a `next` step that fits the kind of its route. */
export function errorAnswer(
  error: ActionError,
  requestId: string,
  kind: RouteKind,
  more: Readonly<Record<string, string>>,
): BusAnswer {
  const envelope = error.toEnvelope(requestId, kind);
  const headers: Record<string, string> = { ...more, [busHeaders.errorCode]: error.code };
  if (error.next !== undefined) headers[busHeaders.next] = error.next;
  if (error.approvalId !== undefined) headers[busHeaders.approvalId] = error.approvalId;
  if (error.recordId !== undefined) headers[busHeaders.recordId] = error.recordId;
  if (error.limitedForMs !== undefined) headers[busHeaders.limitedForMs] = String(error.limitedForMs);
  if (error.retryAfter !== undefined) headers[busHeaders.retryAfter] = String(error.retryAfter);
  return {
    status: error.status,
    headers,
    body: encoder.encode(JSON.stringify(envelope)),
  };
}

/**
 * The entry of the catalogue for an error that a handler threw. An error other than an ActionError is a failure of the
 * platform: a failed read did nothing and can be repeated, the outcome of a failed write is unknown.
 */
export function toActionError(
  error: unknown,
  effect: Effect,
  context: Pick<CallContext, 'log' | 'deadline'>,
): ActionError {
  if (error instanceof ActionError) return error;
  // Services process large texts before they write. After a write, the service itself catches this error.
  if (error instanceof JsonBusyError) return new ActionError('action_platform_unavailable');
  // A read that its requester no longer waits for is no failure of the platform.
  const level = effect === 'read' && !hasTimeLeft(context) ? 'warn' : 'error';
  if (causes.take()) context.log[level]({ err: error }, 'call failed');
  return new ActionError(failureOf(effect));
}
