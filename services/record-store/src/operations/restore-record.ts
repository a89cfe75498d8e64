import { restoreRecord } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { writableCollection } from '../collections/access.ts';
import { changeState } from '../records/change-state.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.restore_record */
export function serveRestoreRecord(store: RecordStore): ServedOperation {
  return serveOperation(restoreRecord, async (input, { principal, deadline }) => {
    await writableCollection(store.collections, principal, input.collection_id);
    const record = await changeState(store, {
      reference: referenceOf(principal, input),
      userId: principal.userId,
      to: 'active',
      deadline,
    });
    return { record };
  });
}
