import { getRecord } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord } from '../storage/stored-head.ts';
import { readableRecord } from './access.ts';

/** record_store.get_record */
export function serveGetRecord(dependencies: Dependencies): ServedOperation {
  return serveOperation(getRecord, async (input, { principal }) => {
    const head = await dependencies.heads.get(await readableRecord(dependencies, principal, input));
    return { record: describeRecord(head) };
  });
}
