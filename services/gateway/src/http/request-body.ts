import type { IncomingMessage } from 'node:http';
import { ActionError } from '@action-platform/contracts';

/** A body that was read: its bytes, or why it cannot be had. */
export type RequestBody = { readonly bytes: Uint8Array } | { readonly refused: ActionError };

/** A body over the limit is read on to its end, up to this many times the limit, so that the answer arrives. */
const DISCARD_FACTOR = 8;

/**
 * Reads a request's body of at most `limit` bytes. It never rejects, so that it can be read while authority
 * is being established; what is wrong with it comes to light when the caller asks.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else chunks.length = 0;
      if (length > DISCARD_FACTOR * limit) break;
    }
  } catch {
    return { refused: new ActionError('invalid_request', { message: 'The request body ended early.' }) };
  }
  if (length > limit) {
    return {
      refused: new ActionError('request_body_too_large', {
        message: `The request body is larger than ${limit} bytes.`,
      }),
    };
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return checkHeaders(request, length) ?? { bytes };
}

function checkHeaders({ headers }: IncomingMessage, length: number): RequestBody | undefined {
  const refuse = (message: string) => ({ refused: new ActionError('invalid_request', { message }) });
  if (length === 0) return undefined;
  if (headers['content-encoding'] !== undefined)
    return refuse('Content-Encoding: the body must be sent as it is.');
  const [type, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const isJson = type!.trim() === 'application/json';
  const isUtf8 = parameters.every(
    (parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-8"?\s*$/.test(parameter),
  );
  return isJson && isUtf8 ? undefined : refuse('Content-Type: must be application/json in UTF-8.');
}

/** The bytes of a body, or the reason it was refused, thrown. */
export function bytesOf(body: RequestBody): Uint8Array {
  if ('refused' in body) throw body.refused;
  return body.bytes;
}
