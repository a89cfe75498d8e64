import type { Answer } from '../../dispatch/answer.ts';
import type { CallBytes } from '../../dispatch/call-bytes.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/http-answer.ts';
import { commonMembers, type Protocol } from './protocol.ts';
import { rpcResult, rpcResultStart } from './rpc.ts';

/** The request that a result answers. */
interface Asked {
  /** The JSON text of its id. */
  readonly id: string;
  readonly protocol: Protocol;
}

const BACKSLASH = 0x5c;

const REPLAY =
  'This is the outcome of an earlier call with the same idempotency_key; this call changed nothing.';

/**
 * Answers a call of a tool with the JSON of a service as text, escaped byte by byte as it streams. A structured result has the
 * same JSON a second time, so it is collected first.
 *
 * @param bytes hold the collected result in the byte budget. Throws ActionError without room.
 */
export async function toolResult(
  { body, more, isReplay }: Answer,
  { id, protocol }: Asked,
  isStructured: boolean,
  bytes: CallBytes,
): Promise<HttpAnswer> {
  const start = `${rpcResultStart(id)}{"content":[{"type":"text","text":"`;
  const content = `"}${isReplay ? `,${textBlock(REPLAY)}` : ''}]`;
  const end = `${commonMembers(protocol)}}}`;
  if (isStructured) {
    const whole = more === undefined ? body : await collected(body, more, bytes);
    const structured = `${content},"structuredContent":`;
    return jsonAnswer(joined(start, escaped(whole), structured, whole, end));
  }
  if (more === undefined) return jsonAnswer(joined(start, escaped(body), content + end));
  const chunks = escapedChunks(joined(start, escaped(body)), more, Buffer.from(content + end));
  // The generator has begun, so that its `return` cancels the rest also before the first byte is sent.
  const { value } = await chunks.next();
  return { ...jsonAnswer(value as Uint8Array), more: chunks };
}

/** Answers a refused call of a tool: a result, so that the model reads it. @param envelope JSON text. */
export function refusedResult(envelope: string, { id, protocol }: Asked): HttpAnswer {
  const result = `{"content":[${textBlock(envelope)}],"isError":true${commonMembers(protocol)}}`;
  return jsonAnswer(rpcResult(id, result));
}

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text });
}

async function* escapedChunks(
  first: Uint8Array,
  more: AsyncGenerator<Uint8Array>,
  end: Uint8Array,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for await (const chunk of more) yield escaped(chunk);
    yield end;
  } finally {
    await more.return(undefined);
  }
}

/**
 * The character after the backslash of a byte that has to be escaped in a string; 0 for other bytes. JSON has no further control
 * characters (RFC 8259, sections 2 and 7).
 */
const escapes = new Uint8Array(256);
for (const [byte, letter] of ['""', '\\\\', '\nn', '\rr', '\tt']) {
  escapes[byte!.charCodeAt(0)] = letter!.charCodeAt(0);
}

/**
 * The inside of a JSON string of these bytes of JSON, which may end inside a character. `JSON.stringify` takes more than twice as
 * long for text with many quotes.
 */
function escaped(bytes: Uint8Array): Uint8Array {
  const written = Buffer.allocUnsafe(2 * bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const letter = escapes[byte]!;
    if (letter !== 0) written[length++] = BACKSLASH;
    written[length++] = letter === 0 ? byte : letter;
  }
  return written.subarray(0, length);
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

function joined(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
