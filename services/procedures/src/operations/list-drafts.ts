import { listDrafts } from '@action-platform/contracts/operations';
import { whileAwaited, within } from '@action-platform/mongo';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeListed, type ProcedureTexts } from '../procedures/stored-procedure.ts';

/** `procedures.list_drafts` */
export function serveListDrafts({ procedures, cursors, limits }: Dependencies): ServedCall {
  return serveOperation(listDrafts, async ({ limit, cursor }, context) => {
    const { workspaceId: workspace_id } = context.principal;
    const options = {
      projection: { _id: 0, slug: 1, title: 1, description: 1 },
      sort: { slug: 1 },
      limit: limit + 1,
      ...within(context),
    } as const;
    const page = await cursors.page(`procedures ${workspace_id}`, cursor, {
      read: (after = '') => {
        const filter = { workspace_id, slug: { $gt: after } };
        return whileAwaited(procedures.find<Omit<ProcedureTexts, 'markdown'>>(filter, options), context);
      },
      positionOf: ({ slug }) => slug,
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ description }) => Buffer.byteLength(description),
    });
    return { procedures: page.items.map(describeListed), next_cursor: page.next };
  });
}
