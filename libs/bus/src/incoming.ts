import { KEY_MAX_LENGTH } from '@action-platform/contracts';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { headersBytes } from './nats-internals.ts';

/** The parts of a message's headers that the bus reads. */
export type IncomingHeaders = Pick<MsgHdrs, 'code' | 'get' | 'has' | 'keys'>;

/** The parts of a received message that the bus reads; the message came by itself or in a batch. */
export type Incoming = Pick<Msg, 'subject' | 'reply' | 'data'> & {
  readonly headers?: IncomingHeaders | undefined;
};

/** The largest headers, in bytes: the longest of them, a principal, is far smaller. */
const HEADERS_MAX_BYTES = 8 * 1024 + 8 * KEY_MAX_LENGTH;

/**
 * A received message, without headers when these are too large or cannot be parsed. The client throws for a malformed header,
 * and delivers nothing more once a callback has thrown.
 */
export function incoming(message: Msg): Incoming {
  try {
    if (headersBytes(message) <= HEADERS_MAX_BYTES && message.headers !== null) return message;
  } catch {
    // Handled like headers that are too large.
  }
  const { subject, reply = '', data } = message;
  return { subject, reply, data };
}

/** Whether this message is the NATS server's report that a subject has no subscriber ("no responders"). */
export function isNoResponders({ data, headers }: Incoming): boolean {
  return data.length === 0 && headers?.code === 503;
}
