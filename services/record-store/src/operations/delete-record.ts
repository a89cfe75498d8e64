import { deleteRecord as deleteRecordOperation } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { readableCollection } from '../collections/access.ts';
import { deleteRecord } from '../records/delete.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.delete_record */
export function serveDeleteRecord(store: RecordStore): ServedOperation {
  return serveOperation(deleteRecordOperation, async (input, { principal, deadline }) => {
    await readableCollection(store.collections, principal, input.collection_id);
    await deleteRecord(store, {
      reference: referenceOf(principal, input),
      userId: principal.userId,
      deadline,
    });
    return { deleted: { id: input.record_id } };
  });
}
