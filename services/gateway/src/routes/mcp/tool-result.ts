import type { Answer } from '../../dispatch/answer.ts';
import type { CallBytes } from '../../dispatch/call-bytes.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/http-answer.ts';
import { WRITE_BYTES } from '../../http/send.ts';
import type { Asked } from './progress.ts';
import { commonMembers } from './protocol.ts';
import { rpcResult, rpcResultStart } from './rpc.ts';

const REPLAY =
  'This is the outcome of an earlier call with the same idempotency_key; this call changed nothing.';

/**
 * Answers a call of a tool with the JSON of a service as text, escaped as it streams. A structured result has the same JSON a second
 * time, so it is collected first.
 *
 * @param bytes hold the collected result in the byte budget. Throws ActionError without room.
 */
export async function toolResult(
  { body, more, isReplay }: Answer,
  { id, protocol }: Asked,
  isStructured: boolean,
  bytes: CallBytes,
): Promise<HttpAnswer> {
  const start = charactersOf(Buffer.from(`${rpcResultStart(id)}{"content":[{"type":"text","text":"`));
  const end = `"}${isReplay ? `,${textBlock(REPLAY)}` : ''}]`;
  const common = `${commonMembers(protocol)}}}`;
  if (isStructured) {
    const whole = charactersOf(more === undefined ? body : await collected(body, more, bytes));
    const structured = `,"structuredContent":${whole}`;
    return jsonAnswer(bytesOf(start + escaped(whole) + end + structured + common));
  }
  const first = start + escaped(charactersOf(body));
  if (more === undefined) return jsonAnswer(bytesOf(first + end + common));
  const chunks = escapedChunks(first, more, end + common);
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

/** An escaped chunk is larger than one write: what is left of it goes into the next write. */
async function* escapedChunks(
  first: string,
  more: AsyncGenerator<Uint8Array>,
  end: string,
): AsyncGenerator<Uint8Array> {
  try {
    let rest = first;
    for (;;) {
      for (; rest.length >= WRITE_BYTES; rest = rest.slice(WRITE_BYTES)) {
        yield bytesOf(rest.slice(0, WRITE_BYTES));
      }
      const { done, value } = await more.next();
      if (done) break;
      rest += escaped(charactersOf(value));
    }
    yield bytesOf(rest + end);
  } finally {
    await more.return(undefined);
  }
}

/** A character for each byte: so a chunk may end inside a character of its text. */
function charactersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The bytes of {@link charactersOf}. `Buffer.from` takes half as long again for long text. */
function bytesOf(characters: string): Uint8Array {
  const bytes = Buffer.allocUnsafe(characters.length);
  bytes.write(characters, 'latin1');
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
