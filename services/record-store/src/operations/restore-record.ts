import { restoreRecord } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writeOf } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeState } from '../writes/change-state.ts';

/** record_store.restore_record */
export function serveRestoreRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(restoreRecord, async (input, context) => {
    const write = await writeOf(dependencies, input, context);
    return { record: await changeState(dependencies, write, 'active') };
  });
}
