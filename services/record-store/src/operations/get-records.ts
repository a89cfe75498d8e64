import { getRecords } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { requireReadable } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord, type Head } from '../storage/stored-head.ts';

/** How many Records are read at once: few enough that the largest take little memory. */
const READ_AT_ONCE = 25;

/** record_store.get_records: a page ends at its byte budget, after one Record at least. */
export function serveGetRecords(dependencies: Dependencies): ServedCall {
  const { heads, limits } = dependencies;
  return serveOperation(getRecords, async (input, context) => {
    const { collection_id: collectionId, record_ids: ids } = input;
    await requireReadable(dependencies, input, context);
    const { workspaceId } = context.principal;
    const records: Head[] = [];
    const missing: string[] = [];
    let bytes = 0;
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const some = ids.slice(from, from + READ_AT_ONCE);
      const found = await heads.existing({ workspaceId, collectionId }, some, context);
      for (const [index, id] of some.entries()) {
        const head = found.get(id);
        bytes += head?.bytes ?? 0;
        if (head === undefined) missing.push(id);
        else if (records.length === 0 || bytes <= limits.PAGE_MAX_BYTES) records.push(head);
        else return { records: records.map(describeRecord), missing, next: ids.slice(from + index) };
      }
    }
    return { records: records.map(describeRecord), missing, next: [] };
  });
}
