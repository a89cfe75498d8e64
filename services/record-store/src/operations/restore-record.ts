import { restoreRecord } from '@action-platform/contracts';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writableRecord } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeState } from '../writes/change-state.ts';

/** record_store.restore_record */
export function serveRestoreRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(restoreRecord, async (input, context) => {
    const { principal, origin, deadline } = context;
    const record = await changeState(dependencies, {
      reference: await writableRecord(dependencies, input, context),
      userId: principal.userId,
      origin,
      to: 'active',
      deadline,
    });
    return { record };
  });
}
