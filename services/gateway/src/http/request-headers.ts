import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type ActionError, invalidRequest } from '@action-platform/contracts/errors';

type Headers = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** The request header `Idempotency-Key`. */
export function idempotencyKeyOf(request: Headers): string | undefined {
  return textOf(request, 'idempotency-key');
}

/** The request header that names the run of a recurring job. */
export function invocationIdOf(request: Headers): string | undefined {
  return textOf(request, 'x-routine-invocation-id');
}

/**
 * The text of a header. Node.js reads each of its bytes as a character, so as Latin-1; most clients send UTF-8. A value that is no UTF-8
 * stays as it is: the value of a browser is Latin-1, and replaced characters would make two values equal. A header that a proxy repeated
 * with the same value counts once.
 */
function textOf(request: Headers, name: string): string | undefined {
  const header = request.headers[name];
  if (header === undefined) return undefined;
  const joined = String(header);
  const values = valuesOf(request, name);
  const value = values.length === 1 ? values[0]! : joined;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

/** The refusal of a request with different values of one of these headers: joined they would be a third value. */
export function headerProblemOf(request: Headers): ActionError | undefined {
  const name = ['idempotency-key', 'x-routine-invocation-id'].find(
    (each) => valuesOf(request, each).length > 1,
  );
  return name === undefined
    ? undefined
    : invalidRequest(`${name}: the request has different values of this header.`);
}

/** The values of a header, each once. */
function valuesOf({ headers, headersDistinct }: Headers, name: string): readonly string[] {
  const header = headers[name];
  if (header === undefined) return [];
  // Node.js joins values with a comma. `headersDistinct` parses all headers.
  const joined = String(header);
  return joined.includes(', ') ? [...new Set(headersDistinct[name])] : [joined];
}
