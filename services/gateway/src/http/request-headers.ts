import type { IncomingMessage } from 'node:http';

/** The request header `Idempotency-Key`, read as UTF-8: Node.js reads each of its bytes as a character. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['idempotency-key'];
  return value === undefined ? undefined : Buffer.from(String(value), 'latin1').toString();
}

/** The request header that names the run of a recurring job. */
export function invocationIdOf({ headers }: IncomingMessage): string | undefined {
  return headers['x-routine-invocation-id'] as string | undefined;
}
