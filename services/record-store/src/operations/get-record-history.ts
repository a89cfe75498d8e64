import { getRecordHistory } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { readableRecord } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeRevision, type StoredRevision } from '../storage/stored-revision.ts';

/** record_store.get_record_history */
export function serveGetRecordHistory(dependencies: Dependencies): ServedCall {
  const { heads, revisions, cursors, limits } = dependencies;
  return serveOperation(getRecordHistory, async (input, context) => {
    const { record_id, limit, cursor } = input;
    const head = await heads.get(await readableRecord(dependencies, input, context), context);
    const listing = `history ${context.principal.workspaceId} ${record_id}`;
    if (limit === undefined) {
      const after = Number(cursors.positionIn(listing, cursor) ?? 0);
      const all = await revisions.all(head, after, context);
      return {
        revisions: Array.isArray(all) ? all.map(describeRevision) : described(all),
        next_cursor: null,
      };
    }
    const page = await cursors.page(listing, cursor, {
      read: (after = '0') => revisions.history(head, Number(after), context),
      positionOf: ({ version }) => String(version),
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ bytes }) => bytes,
    });
    return { revisions: page.items.map(describeRevision), next_cursor: page.next };
  });
}

async function* described(revisions: AsyncIterable<StoredRevision>) {
  for await (const revision of revisions) yield [describeRevision(revision)];
}
