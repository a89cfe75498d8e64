import type { RecordState, StoredRecord } from '@action-platform/contracts';
import { startAttempt } from '../attempts/attempt.ts';
import type { RecordStore } from '../store.ts';
import type { RecordReference } from './head.ts';
import { requireVersion } from './preconditions.ts';
import { withState } from './transitions.ts';
import { currentRecord } from './views.ts';

/** An archive or restore of a Record. */
export interface ChangeState {
  reference: RecordReference;
  userId: string;
  to: RecordState;
  expectedVersion?: number | undefined;
  /** When the requester stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
}

/**
 * Gives a Record a state; one that has it already stays as it is.
 *
 * @throws ActionError `record_store_record_not_found` or `record_store_stale_version`; `action_platform_unavailable`
 *   when others changed the Record all the time until the deadline.
 */
export async function changeState(store: RecordStore, request: ChangeState): Promise<StoredRecord> {
  for (;;) {
    const attempt = startAttempt(request.deadline);
    const head = await store.heads.get(request.reference);
    requireVersion(head, request.expectedVersion);
    if (head.state === request.to) return currentRecord(head);
    const next = withState(head, request.to, request.userId);
    if (await store.heads.replace(head, next, attempt)) return currentRecord(next);
  }
}
