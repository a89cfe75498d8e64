import { pushRecord } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { writableCollection } from '../collections/access.ts';
import { keyedWrite } from '../idempotency/keyed-write.ts';
import { push } from '../records/push.ts';
import type { RecordStore } from '../store.ts';

/** record_store.push_record */
export function servePushRecord(store: RecordStore): ServedOperation {
  return serveOperation(pushRecord, async ({ collection_id, payload, idempotency_key }, context) => {
    const { principal, deadline } = context;
    await writableCollection(store.collections, principal, collection_id);
    const { record, isReplay } = await push(store, {
      workspaceId: principal.workspaceId,
      collectionId: collection_id,
      userId: principal.userId,
      payload,
      keyed: keyedWrite(idempotency_key, { operationId: pushRecord.id, value: payload }),
      deadline,
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
