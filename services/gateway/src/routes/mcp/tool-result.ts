import type { Answer } from '../../dispatch/answer.ts';
import type { CallBytes } from '../../dispatch/call-bytes.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/http-answer.ts';
import { WRITE_BYTES } from '../../http/send.ts';
import { escapeJson } from './escape-json.ts';
import type { Asked } from './progress.ts';
import { commonMembers } from './protocol.ts';
import { rpcResult, rpcResultStart } from './rpc.ts';

const REPLAY =
  'This is the outcome of an earlier call with the same idempotency_key; this call changed nothing.';

/** With less room, a write is sent, in bytes. */
const LEAST_ROOM = 1024;

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
  const start = Buffer.from(`${rpcResultStart(id)}{"content":[{"type":"text","text":"`);
  const endOfText = Buffer.from(`"}${isReplay ? `,${textBlock(REPLAY)}` : ''}]`);
  const end = Buffer.from(`${commonMembers(protocol)}}}`);
  if (more !== undefined && !isStructured) {
    const writes = escapedWrites(start, body, more, Buffer.concat([endOfText, end]));
    // The generator has begun, so that its `return` cancels the rest also before the first byte is sent.
    const { value } = await writes.next();
    return { ...jsonAnswer(value as Uint8Array), more: writes };
  }
  const whole = more === undefined ? body : await collected(body, more, bytes);
  const text = Buffer.allocUnsafe(2 * whole.length);
  const structured = isStructured ? [Buffer.from(',"structuredContent":'), whole] : [];
  const parts = [start, text.subarray(0, escapeJson(whole, text, 0)), endOfText, ...structured, end];
  return jsonAnswer(Buffer.concat(parts));
}

/** Answers a refused call of a tool: a result, so that the model reads it. @param envelope JSON text. */
export function refusedResult(envelope: string, { id, protocol }: Asked): HttpAnswer {
  const result = `{"content":[${textBlock(envelope)}],"isError":true${commonMembers(protocol)}}`;
  return jsonAnswer(rpcResult(id, result));
}

function textBlock(text: string): string {
  return JSON.stringify({ type: 'text', text });
}

/** The writes of a streamed result. An escaped chunk is larger than one write: the rest of it goes into the next write. */
async function* escapedWrites(
  start: Buffer,
  first: Uint8Array,
  more: AsyncGenerator<Uint8Array>,
  end: Buffer,
): AsyncGenerator<Uint8Array> {
  try {
    let write = Buffer.concat([start], Math.max(start.length + end.length, WRITE_BYTES));
    let length = start.length;
    for (let chunk: Uint8Array | undefined = first; chunk; chunk = (await more.next()).value) {
      for (let taken = 0; taken < chunk.length; ) {
        const room = WRITE_BYTES - end.length - length;
        if (room < LEAST_ROOM) {
          yield write.subarray(0, length);
          write = Buffer.allocUnsafe(WRITE_BYTES);
          length = 0;
        } else {
          const part = chunk.subarray(taken, taken + Math.floor(room / 2));
          length = escapeJson(part, write, length);
          taken += part.length;
        }
      }
    }
    yield write.subarray(0, length + end.copy(write, length));
  } finally {
    await more.return(undefined);
  }
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
