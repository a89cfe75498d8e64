import { type Stream, streamSubjects } from '@action-platform/contracts/bus';
import type { JetStreamManager } from '@nats-io/jetstream';
import { type StoredMessage, storedMessage } from './stored-message.ts';

/** The messages to read. */
export interface Reading {
  /** Of this Workspace alone; by default of all. */
  readonly workspaceId?: string;
  /** The lowest sequence, or the earliest time. */
  readonly from: number | Date;
  /** The most messages, and about the most bytes of them. At least one message is read. */
  readonly limit: number;
  readonly maxBytes?: number;
}

/** Where a reader is in a stream. */
export interface Position {
  /** The reader gets the messages of this Workspace alone; by default of all. */
  readonly workspaceId?: string;
  /** The sequence before which it has read everything. */
  readonly from: number;
}

/** How long a read may take, in milliseconds. */
const READ_TIMEOUT_MS = 5_000;

/** The status of a read without a message. */
const NOT_FOUND = 404;

/** Reads stored messages in one request, in order, from any server that has them. */
export async function readStream(
  manager: JetStreamManager,
  stream: Stream,
  { workspaceId, from, limit, maxBytes }: Reading,
): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<StoredMessage[]>();
  const reading = await manager.direct.getBatch(stream.name, {
    ...(typeof from === 'number' ? { seq: from } : { start_time: from }),
    next_by_subj: streamSubjects(stream, workspaceId),
    batch: limit,
    ...(maxBytes !== undefined && { max_bytes: maxBytes }),
    callback: (done, { subject, seq, data, time } = {} as never) => {
      if (done?.err && !isNotFound(done.err)) reject(done.err);
      else if (done) resolve(messages);
      else messages.push(storedMessage(subject, { sequence: seq, body: data, storedAt: time }));
    },
  });
  const late = new Error('JetStream did not answer a read in time');
  const timer = setTimeout(() => reading.stop(late), READ_TIMEOUT_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The sequence up to which a reader of a Workspace that was given no message from `from` on has missed none. A server that
 * answers reads may be behind the leader, so the leader is asked.
 */
export async function nothingUpTo(
  manager: JetStreamManager,
  stream: Stream,
  { workspaceId, from }: Position,
): Promise<number> {
  const { state } = await manager.streams.info(stream.name);
  const query = { seq: from, next_by_subj: streamSubjects(stream, workspaceId) };
  const next = await manager.streams.getMessage(stream.name, query);
  return Math.max(from - 1, next === null ? state.last_seq : next.seq - 1);
}

function isNotFound(error: Error): boolean {
  return 'code' in error && error.code === NOT_FOUND;
}
