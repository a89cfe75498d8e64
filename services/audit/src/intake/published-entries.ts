import type { StoredMessage } from '@action-platform/bus';
import {
  type AuditEntry,
  type AuditOutcome,
  auditBatch,
  publishedEntry,
} from '@action-platform/contracts/audit';
import { type SourcedEntry, timeSlot } from '../blocks/link.ts';

/** The entries of messages, by Workspace. `onMalformed` receives each message that is no batch, or has what is no entry. */
export function publishedEntries(
  messages: readonly StoredMessage[],
  onMalformed: (message: StoredMessage) => void,
): Map<string, SourcedEntry[]> {
  const byWorkspace = new Map<string, SourcedEntry[]>();
  for (const message of messages) {
    const batch = auditBatch.safeParse(parsedBody(message.body)).data;
    const read = (batch?.entries ?? [undefined]).map((entry) => publishedEntry.safeParse(entry).data);
    const entries = read.filter((entry) => entry !== undefined);
    if (entries.length < read.length) onMalformed(message);
    const isGateway = message.publisher === 'gateway';
    // The gateway alone publishes entries of Members; a service publishes those of its operators' commands.
    const permitted = entries.filter(({ via }) => (via !== 'operator') === isGateway);
    for (const { workspace_id, outcome, ...published } of permitted) {
      const entry = { ...published, outcome: outcome ?? outcomeOf(published) };
      const source = `${message.publisher} ${batch!.id} ${timeSlot(entry)}`;
      byWorkspace.getOrInsert(workspace_id, []).push({ entry, source });
    }
  }
  return byWorkspace;
}

/** The outcome of a call by its answer: after 502 nobody knows, and every other error changed nothing. */
export function outcomeOf({ status, code }: Pick<AuditEntry, 'status' | 'code'>): AuditOutcome {
  if (status === 502) return 'unknown';
  return code === 'ok' ? 'done' : 'refused';
}

/** The JSON value of a message; undefined for another text. */
function parsedBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}
