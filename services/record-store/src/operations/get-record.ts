import { getRecord } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { readableCollection } from '../collections/access.ts';
import { currentRecord } from '../records/views.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.get_record */
export function serveGetRecord({ collections, heads }: RecordStore): ServedOperation {
  return serveOperation(getRecord, async (input, { principal }) => {
    await readableCollection(collections, principal, input.collection_id);
    return { record: currentRecord(await heads.get(referenceOf(principal, input))) };
  });
}
