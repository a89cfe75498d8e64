import { archiveRecord } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { writableCollection } from '../collections/access.ts';
import { changeState } from '../records/change-state.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.archive_record */
export function serveArchiveRecord(store: RecordStore): ServedOperation {
  return serveOperation(archiveRecord, async (input, { principal, deadline }) => {
    await writableCollection(store.collections, principal, input.collection_id);
    const record = await changeState(store, {
      reference: referenceOf(principal, input),
      userId: principal.userId,
      to: 'archived',
      expectedVersion: input.expected_version,
      deadline,
    });
    return { record };
  });
}
