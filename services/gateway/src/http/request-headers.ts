import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** The request header `Idempotency-Key`. */
export function idempotencyKeyOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return textOf(headers['idempotency-key']);
}

/** The request header that names the run of a recurring job. */
export function invocationIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return textOf(headers['x-routine-invocation-id']);
}

/**
 * The text of a header. Node.js reads each of its bytes as a character, so as Latin-1; most clients send UTF-8. A value that is
 * no UTF-8 stays as it is: that of a browser is Latin-1, and replaced characters would make two values equal.
 */
function textOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const value = String(header);
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
