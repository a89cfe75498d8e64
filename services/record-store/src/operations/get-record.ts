import { getRecord } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { readableRecord } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord } from '../storage/stored-head.ts';

/** record_store.get_record */
export function serveGetRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(getRecord, async (input, context) => {
    const reference = await readableRecord(dependencies, input, context);
    const head = await dependencies.heads.get(reference, context);
    return { record: describeRecord(head) };
  });
}
