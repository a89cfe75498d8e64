import { KEY_MAX_LENGTH } from '@action-platform/contracts';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { headersBytes } from './nats-internals.ts';

/** The parts of a message's headers that the bus reads. */
export type IncomingHeaders = Pick<MsgHdrs, 'code' | 'get' | 'has'>;

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

/** A status of the NATS server; the messages of the platform have none of its statuses. */
const NO_RESPONDERS = 503;
/** The beginnings of JetStream's acknowledgements, and of the answers of its API. */
const JETSTREAM_ANSWERS = ['{"stream":', '{"error":{"code":', '{"type":"io.nats.jetstream'];

/**
 * Whether JetStream sent this message. It answers at the subject that its requester names: that may be the inbox of another user, or
 * an event, and what it read for a rogue may look like an answer there.
 */
export function isFromJetStream({ data, headers }: Incoming): boolean {
  if (headers !== undefined) return headers.has('Nats-Stream') || ![0, NO_RESPONDERS].includes(headers.code);
  return JETSTREAM_ANSWERS.some((beginning) => startsWith(data, beginning));
}

function startsWith(data: Uint8Array, beginning: string): boolean {
  return Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, beginning.length)).equals(
    Buffer.from(beginning),
  );
}

/** Whether this message is the NATS server's report that a subject has no subscriber ("no responders"). */
export function isNoResponders({ data, headers }: Incoming): boolean {
  return data.length === 0 && headers?.code === NO_RESPONDERS;
}
