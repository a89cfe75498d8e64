import { pushRecord } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { requireWritable } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedWrite } from '../writes/keyed-write.ts';
import { push } from '../writes/push.ts';

/** record_store.push_record */
export function servePushRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(pushRecord, async (input, context) => {
    const { principal, origin, deadline } = context;
    const { collection_id, payload, idempotency_key } = input;
    await requireWritable(dependencies, input, context);
    const { record, isReplay } = await push(dependencies, {
      workspaceId: principal.workspaceId,
      collectionId: collection_id,
      userId: principal.userId,
      origin,
      payload,
      keyed: await keyedWrite(idempotency_key, { operationId: pushRecord.id, value: payload }, context),
      deadline,
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
