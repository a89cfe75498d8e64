import { listDrafts } from '@action-platform/contracts/operations';
import { whileAwaited, within } from '@action-platform/mongo';
import { readPage } from '@action-platform/sealing';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeListed, type ProcedureTexts } from '../procedures/stored-procedure.ts';

/** `procedures.list_drafts` */
export function serveListDrafts({ procedures, cursors, limits }: Dependencies): ServedCall {
  return serveOperation(listDrafts, async ({ limit, cursor }, context) => {
    const { workspaceId: workspace_id } = context.principal;
    const listing = `procedures ${workspace_id}`;
    const slug = { $gt: cursors.positionIn(listing, cursor) ?? '' };
    const found = procedures.find<Omit<ProcedureTexts, 'markdown'>>(
      { workspace_id, slug },
      {
        projection: { _id: 0, slug: 1, title: 1, description: 1 },
        sort: { slug: 1 },
        limit: limit + 1,
        ...within(context),
      },
    );
    const page = await readPage(whileAwaited(found, context), {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ description }) => Buffer.byteLength(description),
    });
    return {
      procedures: page.items.map(describeListed),
      next_cursor: cursors.next(listing, page, (item) => item.slug),
    };
  });
}
