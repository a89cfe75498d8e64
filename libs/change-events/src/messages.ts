import { hash } from 'node:crypto';
import { type Change, type ChangeEvent, changeEventOf, type ServiceName } from '@action-platform/contracts';

/** The most bytes of a message, unless a single event has more. */
const MESSAGE_MAX_BYTES = 64 * 1024;

/** A message of the stream: events of one Workspace. */
export interface Message {
  /** Depends on its events alone, so that JetStream drops a repetition. */
  readonly id: string;
  /** A JSON array of events (CloudEvents JSON format, section 4). */
  readonly body: string;
  readonly events: number;
}

/** The messages of some changes, in their order, by Workspace. */
export function messagesOf(service: ServiceName, changes: readonly Change[]): Map<string, Message[]> {
  const byWorkspace = new Map<string, ChangeEvent[]>();
  for (const change of changes) {
    const events = byWorkspace.get(change.workspaceId);
    const event = changeEventOf(service, change);
    if (events === undefined) byWorkspace.set(change.workspaceId, [event]);
    else events.push(event);
  }
  return new Map([...byWorkspace].map(([workspaceId, events]) => [workspaceId, packed(events)]));
}

function packed(events: readonly ChangeEvent[]): Message[] {
  const messages: Message[] = [];
  let ids: string[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const close = () => {
    if (ids.length === 0) return;
    const id = ids.length === 1 ? ids[0]! : hash('sha256', ids.join(), 'hex');
    messages.push({ id, body: `[${texts.join()}]`, events: ids.length });
    [ids, texts, bytes] = [[], [], 0];
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > MESSAGE_MAX_BYTES) close();
    ids.push(event.id);
    texts.push(text);
    bytes += size;
  }
  close();
  return messages;
}
