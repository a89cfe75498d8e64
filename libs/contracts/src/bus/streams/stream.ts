import type { BusUser, ProcessName, ServiceName } from '../../services/services.ts';

/** Messages that JetStream stores for readers that come later, each published by one process of the platform. */
export interface Stream {
  readonly name: 'EVENTS' | 'AUDIT';
  /** The only processes that may publish in it, each under its own name. */
  readonly publishers: readonly ProcessName[];
  /** The only users that may read it. The first reader, a service, creates it. */
  readonly readers: readonly [ServiceName, ...BusUser[]];
  /** How long the stream keeps a message, in milliseconds. */
  readonly maxAgeMs: number;
  /** The most that the stream stores, in bytes, until an operator changes that; a full stream drops its oldest messages. */
  readonly maxBytes: number;
}

/** In place of a Workspace in the subject of a message that concerns several. */
const NO_WORKSPACE = '_';

/** The subject of a process's messages in a stream: `stream.EVENTS.<Workspace>.<publisher>`. */
export function streamSubject({ name }: Stream, publisher: string, workspaceId = NO_WORKSPACE): string {
  return `stream.${name}.${workspaceId}.${publisher}`;
}

/** All subjects of a stream, or those of one Workspace. */
export function streamSubjects(stream: Stream, workspaceId = '*'): string {
  return streamSubject(stream, '*', workspaceId);
}

/** Publisher and Workspace of a message in a stream, from its subject. */
export function partsOfStreamSubject(subject: string): { publisher: string; workspaceId?: string } {
  const [, , workspaceId, publisher = ''] = subject.split('.');
  return { publisher, ...(workspaceId !== NO_WORKSPACE && { workspaceId: workspaceId! }) };
}
