import type { PublishedEntry } from '@action-platform/contracts/audit';
import { newRequestId } from '@action-platform/contracts/ids';

/** The audit entry of a push. */
export function anEntry(more: Partial<PublishedEntry> = {}): PublishedEntry {
  return {
    workspace_id: 'ws_1',
    at: '2026-05-01T09:30:00.000Z',
    request_id: newRequestId(),
    user_id: 'olga',
    via: 'session',
    operation: 'record_store.push_record',
    targets: [],
    status: 200,
    code: 'ok',
    replayed: false,
    answered: true,
    ...more,
  };
}
