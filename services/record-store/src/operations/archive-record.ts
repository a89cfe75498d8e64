import { archiveRecord } from '@action-platform/contracts';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { writableRecord } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeState } from '../writes/change-state.ts';

/** record_store.archive_record */
export function serveArchiveRecord(dependencies: Dependencies): ServedCall {
  return serveOperation(archiveRecord, async (input, context) => {
    const { principal, origin, deadline } = context;
    const record = await changeState(dependencies, {
      reference: await writableRecord(dependencies, input, context),
      userId: principal.userId,
      origin,
      to: 'archived',
      expectedVersion: input.expected_version,
      deadline,
    });
    return { record };
  });
}
