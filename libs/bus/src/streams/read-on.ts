import type { Stream } from '@action-platform/contracts/bus';
import { counts } from '@action-platform/telemetry';
import type { StoredMessage } from './stored-message.ts';
import type { Streams } from './streams.ts';

const lost = counts('stream.lost');

/** How far a stream was read. */
export interface StreamProgress {
  /** When the stream was created: another one counts from 1 again. */
  readonly created_at: Date;
  /** The sequence of the last message that was read. */
  readonly sequence: number;
}

/** The next messages of a stream. */
export interface ReadOn {
  readonly messages: readonly StoredMessage[];
  /** The progress before these messages. */
  readonly before: StreamProgress;
  /** Whether `before` is of another stream than was read so far: one that was created anew, or was set back to a backup. */
  readonly isAnother: boolean;
  /** Whether the stream had no further message when it was read. */
  readonly isAtEnd: boolean;
}

/**
 * Reads a stream on. Each read asks for the state of the stream first, so that one that was created anew, or was set back to a backup, is
 * read from its beginning. Its reader repeats messages then, and after a crash.
 *
 * @param limits the most messages, and about the most bytes of them.
 */
export async function readOn(
  streams: Streams,
  stream: Stream,
  read: StreamProgress | undefined,
  limits: { readonly limit: number; readonly maxBytes?: number },
): Promise<ReadOn> {
  const { createdAt, firstSequence, lastSequence } = await streams.state(stream);
  const isSame = read?.created_at.getTime() === createdAt.getTime() && read.sequence <= lastSequence;
  const sequence = Math.max(isSame ? read.sequence : 0, firstSequence - 1);
  const before = { created_at: createdAt, sequence };
  const isAnother = read !== undefined && !isSame;
  if (isAnother) lost(1, { 'stream.name': stream.name });
  if (sequence >= lastSequence) return { messages: [], before, isAnother, isAtEnd: true };
  const messages = await streams.read(stream, { from: sequence + 1, ...limits });
  // Messages left the stream unread, because the stream was full or their time was over. Without messages the reader keeps no progress yet.
  if (isSame && sequence > read.sequence && messages.length > 0) lost(1, { 'stream.name': stream.name });
  // A server that is behind the leader returns fewer.
  return { messages, before, isAnother, isAtEnd: (messages.at(-1)?.sequence ?? sequence) >= lastSequence };
}
