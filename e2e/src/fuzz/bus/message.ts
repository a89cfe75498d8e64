import { busHeaders } from '@action-platform/contracts';
import type { Heard, Rogue } from '@action-platform/testing';

/** Names and values of headers; a name may come twice. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** The content of a message. */
export interface Message {
  readonly headers: Headers;
  /** Bytes (U+0000 to U+00FF). */
  readonly body: string;
}

/**
 * Sends a message.
 *
 * @param reply the subject for the answer
 * @returns false without sending when a line break in a value would make other headers of it
 */
export function publish(rogue: Rogue, subject: string, { headers, body }: Message, reply?: string): boolean {
  if (headers.some(([, value]) => /[\r\n]/.test(value))) return false;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  rogue.publish(subject, {
    body: Buffer.from(body, 'latin1'),
    ...(headers.length > 0 && { headers: lines }),
    ...(reply !== undefined && { reply }),
  });
  return true;
}

/** The value of the first header with a name; undefined without one. */
export function headerOf({ headers }: Pick<Heard, 'headers'>, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*)\\r$`, 'mi').exec(headers)?.[1];
}

/** Whether a service says that it sends more of this answer. */
export function hasMore({ headers }: Pick<Message, 'headers'>): boolean {
  return headers.some(([name]) => name.toLowerCase() === busHeaders.more);
}
