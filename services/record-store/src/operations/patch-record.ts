import { patchRecord } from '@action-platform/contracts/operations';
import { ExactJson, mergePatchAsync } from '@action-platform/json';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writeOf } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { keyedWrite } from '../writes/keyed-write.ts';
import { requireSize } from '../writes/preconditions.ts';
import { revise } from '../writes/revise.ts';

/** record_store.patch_record */
export function servePatchRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(patchRecord, async (input, context) => {
    const { patch, expected_version: expectedVersion, idempotency_key } = input;
    const { record, isReplay } = await revise(dependencies, {
      ...(await writeOf(dependencies, input, context)),
      type: 'patched',
      nextPayload: (current) => {
        requireSize('patch', patch, dependencies.limits.RECORD_PAYLOAD_MAX_BYTES);
        return mergePatchAsync(new ExactJson(current), patch, context);
      },
      expectedVersion,
      keyed: await keyedWrite(
        idempotency_key,
        { operationId: patchRecord.id, value: patch, expectedVersion },
        context,
      ),
    });
    if (isReplay) context.markReplayed();
    return { record };
  });
}
