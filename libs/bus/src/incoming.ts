import { KEY_MAX_LENGTH } from '@action-platform/contracts';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';

/** What is looked at of the headers of a message. */
export type IncomingHeaders = Pick<MsgHdrs, 'code' | 'get' | 'has' | 'keys'>;

/** What is looked at of a message that came in, by itself or with others. */
export type Incoming = Pick<Msg, 'subject' | 'reply' | 'data'> & {
  readonly headers?: IncomingHeaders | undefined;
};

/** The most that the headers of a message may take, in bytes: no principal, the longest of them, comes near it. */
const HEADERS_MAX_BYTES = 8 * 1024 + 8 * KEY_MAX_LENGTH;

/**
 * A message as it may be looked at, whoever sent it: one whose headers cannot be read has none. The client throws for a
 * header that cannot be one, and takes time that grows with the square of their number; and it hears nothing any more
 * once a callback of ours has thrown.
 */
export function incoming(message: Msg): Incoming {
  const { subject, reply = '', data } = message;
  // The types leave out what the library has: the bytes of all four together.
  const bytes = (message as Msg & { size(): number }).size();
  const headersBytes = bytes - data.length - Buffer.byteLength(subject) - Buffer.byteLength(reply);
  try {
    if (headersBytes <= HEADERS_MAX_BYTES && message.headers !== null) return message;
  } catch {
    // As too many.
  }
  return { subject, reply, data };
}

/** Whether a message is the NATS server's word that nobody hears the subject. */
export function saysNobodyIsThere({ data, headers }: Incoming): boolean {
  return data.length === 0 && headers?.code === 503;
}
