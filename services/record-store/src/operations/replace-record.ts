import { replaceRecord } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writeOf } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedWrite } from '../writes/keyed-write.ts';
import { revise } from '../writes/revise.ts';

/** record_store.replace_record */
export function serveReplaceRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(replaceRecord, async (input, context) => {
    const { payload, expected_version: expectedVersion, idempotency_key } = input;
    const { record, isReplay } = await revise(dependencies, {
      ...(await writeOf(dependencies, input, context)),
      type: 'replaced',
      nextPayload: () => payload,
      expectedVersion,
      keyed: await keyedWrite(
        idempotency_key,
        { operationId: replaceRecord.id, value: payload, expectedVersion },
        context,
      ),
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
