import type { Bus, StoredMessage } from '@action-platform/bus';
import type { Stream } from '@action-platform/contracts';
import type { StreamProgress } from './progress.ts';

/** How many messages are read at once. */
const MESSAGES = 32;

/** The next messages of a stream. */
export interface ReadOn {
  readonly messages: readonly StoredMessage[];
  /** The progress before these messages. */
  readonly progress: StreamProgress;
  /** Whether the stream had no further message when it was read. */
  readonly isAtEnd: boolean;
}

/** Reads a stream on. A stream that was created anew, or was set back to a backup, is read from its beginning: entries are stored once. */
export async function readOn(bus: Bus, stream: Stream, before: StreamProgress | undefined): Promise<ReadOn> {
  const { createdAt, firstSequence, lastSequence } = await bus.streams.state(stream);
  const isSame = before?.created_at.getTime() === createdAt.getTime() && before!.sequence <= lastSequence;
  const sequence = Math.max(isSame ? before!.sequence : 0, firstSequence - 1);
  const progress = { created_at: createdAt, sequence };
  if (sequence >= lastSequence) return { messages: [], progress, isAtEnd: true };
  const messages = await bus.streams.read(stream, { from: sequence + 1, limit: MESSAGES });
  // A server that is behind the leader returns fewer.
  return { messages, progress, isAtEnd: (messages.at(-1)?.sequence ?? sequence) >= lastSequence };
}
