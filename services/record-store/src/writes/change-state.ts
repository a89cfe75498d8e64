import type { RecordState, StoredRecord, Timed } from '@action-platform/contracts';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord, type RecordReference } from '../storage/stored-head.ts';
import { type Author, withState } from './next-head.ts';
import { requireVersion } from './preconditions.ts';

/** An archive or restore of a Record. */
export interface ChangeState extends Timed, Author {
  reference: RecordReference;
  to: RecordState;
  expectedVersion?: number | undefined;
}

/**
 * Sets the state of a Record; a Record that already has it stays as it is.
 *
 * @throws ActionError `record_store_record_not_found` or `record_store_stale_version`; `action_platform_unavailable`
 *   when other writes kept changing the Record until the deadline.
 */
export async function changeState({ heads }: Dependencies, request: ChangeState): Promise<StoredRecord> {
  for (;;) {
    const head = await heads.get(request.reference, request);
    requireVersion(head, request.expectedVersion);
    if (head.state === request.to) return describeRecord(head);
    const next = withState(head, request.to, request);
    if (await heads.replace(head, next, request)) return describeRecord(next);
  }
}
