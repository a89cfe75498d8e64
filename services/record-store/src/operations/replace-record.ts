import { replaceRecord } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { writableCollection } from '../collections/access.ts';
import { keyedWrite } from '../idempotency/keyed-write.ts';
import { revise } from '../records/revise.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.replace_record */
export function serveReplaceRecord(store: RecordStore): ServedOperation {
  return serveOperation(replaceRecord, async (input, context) => {
    const { principal, deadline } = context;
    const { payload, expected_version: expectedVersion, idempotency_key } = input;
    await writableCollection(store.collections, principal, input.collection_id);
    const { record, isReplay } = await revise(store, {
      reference: referenceOf(principal, input),
      userId: principal.userId,
      nextPayload: () => payload,
      expectedVersion,
      keyed: keyedWrite(idempotency_key, { operationId: replaceRecord.id, value: payload, expectedVersion }),
      deadline,
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
