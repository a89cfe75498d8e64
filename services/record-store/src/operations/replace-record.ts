import { replaceRecord } from '@action-platform/contracts';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writableRecord } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedWrite } from '../writes/keyed-write.ts';
import { revise } from '../writes/revise.ts';

/** record_store.replace_record */
export function serveReplaceRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(replaceRecord, async (input, context) => {
    const { principal, origin, deadline } = context;
    const { payload, expected_version: expectedVersion, idempotency_key } = input;
    const { record, isReplay } = await revise(dependencies, {
      type: 'replaced',
      reference: await writableRecord(dependencies, input, context),
      userId: principal.userId,
      origin,
      nextPayload: () => payload,
      expectedVersion,
      keyed: await keyedWrite(idempotency_key, {
        operationId: replaceRecord.id,
        value: payload,
        expectedVersion,
      }),
      deadline,
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
