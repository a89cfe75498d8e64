import { partsOfStreamSubject } from '@action-platform/contracts/bus';

/** A message of a stream. */
export interface StoredMessage {
  /** The message's position in the stream, from 1. */
  readonly sequence: number;
  /** The process that published it. */
  readonly publisher: string;
  /** Undefined for a message of no single Workspace. */
  readonly workspaceId?: string;
  readonly body: Uint8Array;
  readonly storedAt: Date;
}

/** A message of a stream, from its subject. */
export function storedMessage(
  subject: string,
  stored: Pick<StoredMessage, 'sequence' | 'body' | 'storedAt'>,
): StoredMessage {
  return { ...partsOfStreamSubject(subject), ...stored };
}
