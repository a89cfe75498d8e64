import type { StoredMessage } from '@action-platform/bus';
import { type ChangeEvent, changeEventTypes } from '@action-platform/contracts/change-events';

/**
 * The events in a message of the stream, each at its index; undefined in place of what its publisher may not tell: the NATS server
 * vouches for the publisher alone.
 */
export function eventsIn(message: StoredMessage): readonly (ChangeEvent | undefined)[] {
  const { publisher, workspaceId, body } = message;
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
