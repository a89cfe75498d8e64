import { ActionError } from '@action-platform/contracts/errors';
import { getDraft } from '@action-platform/contracts/operations';
import { within } from '@action-platform/mongo';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeProcedure } from '../procedures/stored-procedure.ts';

/** `procedures.get_draft` */
export function serveGetDraft({ procedures }: Dependencies): ServedCall {
  return serveOperation(getDraft, async ({ slug }, context) => {
    const { workspaceId: workspace_id } = context.principal;
    const found = await procedures.findOne({ workspace_id, slug }, within(context));
    if (found === null) throw new ActionError('procedure_not_found');
    return { procedure: describeProcedure(found) };
  });
}
