import type { Operation } from '@action-platform/contracts/operations';
import type { CallBytes } from '../../dispatch/call-bytes.ts';
import type { ServiceAnswer } from '../../dispatch/service-request.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/answers/http-answer.ts';
import type { RpcRequest } from './progress.ts';
import { commonMembers } from './protocol.ts';
import { rpcResult, rpcResultStart } from './rpc.ts';

/** The key of `_meta` in the result of a call that repeats the outcome of an earlier one with its idempotency key. */
const REPLAYED = { 'action-platform/idempotentReplayed': true };

/** How a tool's result is written. */
export interface ResultForm {
  readonly isStructured: boolean;
  /** Finds a result that is no success; see `Operation`. */
  readonly outcome: Operation['outcome'];
}

/**
 * Answers a call of a tool with the JSON of a service as text, escaped as it streams. A structured result has the same JSON a second
 * time, so it is collected first.
 *
 * @param bytes hold the collected result in the byte budget until its reader has the answer. Throws ActionError without room.
 */
export async function toolResult(
  { body, more, isReplay }: ServiceAnswer,
  { id, protocol }: RpcRequest,
  { isStructured, outcome }: ResultForm,
  bytes: CallBytes,
): Promise<HttpAnswer> {
  const start = charactersOf(Buffer.from(`${rpcResultStart(id)}{"content":[{"type":"text","text":"`));
  const end = '"}]';
  const common = `${commonMembers(protocol, isReplay ? REPLAYED : undefined)}}}`;
  if (isStructured) {
    const collectedBody = more === undefined ? body : await collected(body, more, bytes);
    const whole = charactersOf(collectedBody);
    const isError = outcome !== undefined && outcome(resultIn(collectedBody)) !== undefined;
    const error = isError ? ',"isError":true' : '';
    const text = bytesOf(start, escaped(whole), end, ',"structuredContent":', whole, error, common);
    return more === undefined ? jsonAnswer(text) : await streamed(heldUntilSent(text, bytes.keepBody()));
  }
  const first = [start, escaped(charactersOf(body))];
  if (more === undefined) return jsonAnswer(bytesOf(...first, end, common));
  return await streamed(escapedChunks(first, more, end + common));
}

/** Answers with chunks. The generator has begun, so that its `return` ends it also before the first byte is sent. */
async function streamed(chunks: AsyncGenerator<Uint8Array>): Promise<HttpAnswer> {
  const { value } = await chunks.next();
  return { ...jsonAnswer(value as Uint8Array), more: chunks };
}

/** A text in memory. @param release called when its reader has it, or has left */
async function* heldUntilSent(text: Uint8Array, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield text;
  } finally {
    release();
  }
}

function resultIn(body: Uint8Array): unknown {
  return (JSON.parse(Buffer.from(body).toString()) as { result: unknown }).result;
}

/** Answers a refused call of a tool: a result, so that the model reads it. @param envelope JSON text. */
export function refusedResult(envelope: string, { id, protocol }: RpcRequest): HttpAnswer {
  const result = `{"content":[${textBlock(envelope)}],"isError":true${commonMembers(protocol)}}`;
  return jsonAnswer(rpcResult(id, result));
}

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text });
}

/** Yields a chunk once the next one is there, so that the last chunk includes the end of the text. */
async function* escapedChunks(
  first: readonly string[],
  more: AsyncGenerator<Uint8Array>,
  end: string,
): AsyncGenerator<Uint8Array> {
  let waiting = first;
  for await (const chunk of more) {
    yield bytesOf(...waiting);
    waiting = [escaped(charactersOf(chunk))];
  }
  yield bytesOf(...waiting, end);
}

/** A character for each byte: so a chunk may end inside a character of its text. */
function charactersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The bytes of texts of {@link charactersOf}, each copied once: joining long texts first would copy them again. */
function bytesOf(...texts: readonly string[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(texts.reduce((length, text) => length + text.length, 0));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at, 'latin1');
  return bytes;
}

/** The inside of a JSON string. The native `JSON.stringify` is faster than a loop over the bytes. */
function escaped(characters: string): string {
  return JSON.stringify(characters).slice(1, -1);
}

async function collected(
  body: Uint8Array,
  more: AsyncGenerator<Uint8Array>,
  bytes: CallBytes,
): Promise<Uint8Array> {
  const chunks = [body];
  let length = body.length;
  for await (const chunk of more) {
    length += chunk.length;
    bytes.holdBody(length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
