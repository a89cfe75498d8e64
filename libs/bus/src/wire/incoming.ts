import type { ClaimedReply } from './reply-to.ts';

/** The parts of a message's headers that the bus reads. */
export interface IncomingHeaders {
  /** The status of a message of the NATS server; 0 without a status. */
  readonly code: number;
  /** A header's value as it was sent; the empty string when it is absent. */
  get(name: string): string;
  has(name: string): boolean;
}

/** A received message, which came alone or in a batch. */
export interface Incoming {
  readonly subject: string;
  readonly reply?: ClaimedReply | undefined;
  readonly data: Uint8Array;
  readonly headers?: IncomingHeaders | undefined;
}

/** A status of the NATS server; the messages of the platform have none of its statuses. */
const NO_RESPONDERS = 503;
/** The beginnings of JetStream's acknowledgements, and of the answers of its API. */
const JETSTREAM_ANSWERS = ['{"stream":', '{"error":{"code":', '{"type":"io.nats.jetstream'];

/**
 * Whether JetStream sent this message. JetStream answers at the subject that its requester names, which may be the inbox of another user,
 * or an event; a message that it read for a hostile client may look like an answer there.
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
