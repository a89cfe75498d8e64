import { hash } from 'node:crypto';
import { type Change, changeEventOf } from '@action-platform/contracts/change-events';
import type { ServiceName } from '@action-platform/contracts/services';

/** The most bytes of a message. */
const MESSAGE_MAX_BYTES = 64 * 1024;

/** The event of a change, as text. */
export interface EncodedEvent {
  readonly workspaceId: string;
  readonly id: string;
  /** JSON (CloudEvents JSON format, section 3). */
  readonly text: string;
  readonly bytes: number;
}

/** A message of the stream: events of one Workspace. */
export interface Message {
  /** Depends on its events alone, so that JetStream drops a repetition. */
  readonly id: string;
  /** A JSON array of events (CloudEvents JSON format, section 4). */
  readonly body: string;
  readonly events: number;
}

/** Whether a value can name a Workspace in the subject of a message: a token (NATS). */
export function isWorkspaceId(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s.*>]+$/.test(value);
}

/** The event of a change. @throws for a change that no message can tell of: its document is not as its service stores it */
export function encodedEvent(service: ServiceName, change: Change): EncodedEvent {
  const { workspaceId } = change;
  if (!isWorkspaceId(workspaceId)) throw new TypeError('a change names no Workspace');
  const event = changeEventOf(service, change);
  const text = JSON.stringify(event);
  const bytes = Buffer.byteLength(text);
  if (bytes > MESSAGE_MAX_BYTES) throw new RangeError('an event is larger than a message');
  return { workspaceId, id: event.id, text, bytes };
}

/** The messages of some events, in their order, by Workspace. */
export function messagesOf(events: readonly EncodedEvent[]): Map<string, Message[]> {
  const byWorkspace = Map.groupBy(events, ({ workspaceId }) => workspaceId);
  return new Map([...byWorkspace].map(([workspaceId, ofWorkspace]) => [workspaceId, packed(ofWorkspace)]));
}

function packed(events: readonly EncodedEvent[]): Message[] {
  const messages: Message[] = [];
  let ids: string[] = [];
  let texts: string[] = [];
  let size = 0;
  const close = () => {
    if (ids.length === 0) return;
    const id = ids.length === 1 ? ids[0]! : hash('sha256', ids.join(), 'hex');
    messages.push({ id, body: `[${texts.join()}]`, events: ids.length });
    [ids, texts, size] = [[], [], 0];
  };
  for (const { id, text, bytes } of events) {
    if (size + bytes + 1 > MESSAGE_MAX_BYTES) close();
    ids.push(id);
    texts.push(text);
    size += bytes + 1;
  }
  close();
  return messages;
}
