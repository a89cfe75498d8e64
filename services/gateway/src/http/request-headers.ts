import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '@action-platform/contracts/errors';

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
 *
 * @throws ActionError `invalid_request` for a header with different values: joined they would be a third value.
 */
function textOf(request: Headers, name: string): string | undefined {
  const header = request.headers[name];
  if (header === undefined) return undefined;
  const joined = String(header);
  const [value = joined, other] = joined.includes(', ') ? new Set(request.headersDistinct[name]) : [joined];
  if (other !== undefined) throw invalidRequest(`${name}: the request has different values of this header.`);
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
