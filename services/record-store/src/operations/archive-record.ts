import { archiveRecord } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writeOf } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeState } from '../writes/change-state.ts';

/** record_store.archive_record */
export function serveArchiveRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(archiveRecord, async (input, context) => {
    const write = await writeOf(dependencies, input, context);
    return { record: await changeState(dependencies, write, 'archived', input.expected_version) };
  });
}
