import type { ChangeEvent } from './change-event.ts';
import { changeEventTypes } from './types.ts';

/** A message of the stream `EVENTS`. */
interface EventsMessage {
  /** The process that published it. */
  readonly publisher: string;
  readonly workspaceId?: string;
  readonly body: Uint8Array;
}

/**
 * The events in a message of the stream, each at its index; undefined in place of what its publisher may not tell: the NATS server
 * vouches for the publisher alone.
 */
export function eventsIn({
  publisher,
  workspaceId,
  body,
}: EventsMessage): readonly (ChangeEvent | undefined)[] {
  const source = `/workspaces/${workspaceId}/${publisher}`;
  let batch: unknown;
  try {
    batch = JSON.parse(Buffer.from(body).toString());
  } catch {
    return [];
  }
  if (!Array.isArray(batch)) return [];
  return batch.map((event: Partial<ChangeEvent> | null) => {
    if (event?.source !== source || typeof event.data !== 'object' || event.data === null) return undefined;
    const isKnown = typeof event.type === 'string' && Object.hasOwn(changeEventTypes, event.type);
    if (!isKnown) return undefined;
    const publishers: readonly string[] = changeEventTypes[event.type!].services;
    return publishers.includes(publisher) ? (event as ChangeEvent) : undefined;
  });
}
