import { patchRecord } from '@action-platform/contracts';
import { ExactJson, mergePatch } from '@action-platform/json';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { writableCollection } from '../collections/access.ts';
import { keyedWrite } from '../idempotency/keyed-write.ts';
import { revise } from '../records/revise.ts';
import type { RecordStore } from '../store.ts';
import { referenceOf } from './reference.ts';

/** record_store.patch_record */
export function servePatchRecord(store: RecordStore): ServedOperation {
  return serveOperation(patchRecord, async (input, context) => {
    const { principal, deadline } = context;
    const { patch, expected_version: expectedVersion, idempotency_key } = input;
    await writableCollection(store.collections, principal, input.collection_id);
    const { record, isReplay } = await revise(store, {
      reference: referenceOf(principal, input),
      userId: principal.userId,
      nextPayload: (current) => mergePatch(new ExactJson(current), patch),
      expectedVersion,
      keyed: keyedWrite(idempotency_key, { operationId: patchRecord.id, value: patch, expectedVersion }),
      deadline,
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
