import { deleteRecord as deleteRecordOperation } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writeOf } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteRecord } from '../writes/delete.ts';

/** record_store.delete_record; grants has refused callers that are no Owners. */
export function serveDeleteRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(deleteRecordOperation, async (input, context) => {
    await deleteRecord(dependencies, await writeOf(dependencies, input, context));
    return { deleted: { id: input.record_id } };
  });
}
