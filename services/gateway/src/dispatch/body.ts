import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { inSpan } from '@action-platform/telemetry';
import type { Caller } from './admission.ts';
import { type RequestContext, timed } from './exchange.ts';

/** The body of a request, which may still be arriving. */
export interface Body {
  /** Whether the whole body has arrived; does not wait for the rest, and consumes nothing. */
  hasArrived(): Promise<boolean>;
  /**
   * The whole body. Throws ActionError when it is too large, incomplete at the deadline or not a JSON text.
   *
   * @param reserve is called before the body takes this number of bytes of memory in all. When it throws, the body stays unread.
   */
  read(reserve: (bytes: number) => void): Promise<Uint8Array>;
}

/** A body that is in memory, of at most `limit` bytes. */
export function arrivedBody(bytes: Uint8Array, limit = Number.POSITIVE_INFINITY): Body {
  return {
    hasArrived: () => Promise.resolve(true),
    read: async () => {
      if (bytes.length <= limit) return bytes;
      const message = `The arguments are larger than ${limit} bytes.`;
      throw new ActionError('request_body_too_large', { message });
    },
  };
}

/** Reads a body within the byte budget; one that is still arriving in a span of its own, and timed. */
export function readBody(
  body: Body,
  wasWhole: boolean,
  { bytes }: Caller,
  context: RequestContext,
): Promise<Uint8Array> {
  const read = () => body.read((length) => bytes.holdBody(length));
  return wasWhole ? read() : timed(context, 'bodyMs', () => inSpan('receive body', {}, read));
}

/** Refuses the body of a call whose input is in its address, unless the body is empty or `{}`. */
export function requireEmpty(bytes: Uint8Array): void {
  if (bytes.length === 0) return;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw new ActionError('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('The request body: must be empty, or {}.');
  const [field] = Object.keys(value);
  if (field !== undefined)
    throw invalidRequest(`The request body has unknown fields: ${JSON.stringify(field.slice(0, 64))}`);
}
