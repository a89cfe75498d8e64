import { busHeaders } from '@action-platform/contracts/bus';
import { ActionError, limitReached } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import { createDraft } from '@action-platform/contracts/operations';
import { hasRoom, unlessTaken, within } from '@action-platform/mongo';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import {
  describeProcedure,
  type ProcedureTexts,
  type StoredProcedure,
} from '../procedures/stored-procedure.ts';

/**
 * `procedures.create_draft`: one insert under a unique slug. A second create with the same texts returns the existing
 * draft, so a create whose outcome is unknown can be repeated; with other texts the slug is taken. In a Workspace with the
 * most Procedures allowed, a free slug is refused (`invalid_request`).
 */
export function serveCreateDraft({ procedures, limits }: Dependencies): ServedCall {
  return serveOperation(createDraft, async ({ slug, title, description, markdown }, context) => {
    const texts: ProcedureTexts = { slug, title, description, markdown };
    const { workspaceId: workspace_id, userId: created_by } = context.principal;
    const max = limits.WORKSPACE_PROCEDURES_MAX;
    const mayCreate = await hasRoom(procedures, { workspace_id }, max, context);
    const { origin } = context;
    let _id = newId('procedure');
    const draft: StoredProcedure = {
      _id,
      workspace_id,
      ...texts,
      created_at: new Date(),
      created_by,
      origin,
    };
    if (!mayCreate || !(await unlessTaken(procedures.insertOne(draft, within(context))))) {
      const existing = await procedures.findOne({ workspace_id, slug }, within(context));
      if (existing === null) {
        if (!mayCreate) throw limitReached(`The Workspace has ${max} Procedures`);
        // A change of primary has rolled back the draft that had the slug.
        throw new ActionError('action_platform_unavailable');
      }
      if (!isSameDraft(existing, texts)) throw slugTaken(slug);
      _id = existing._id;
    }
    // The audit log names the Procedure by its id, which the result does not have.
    context.addHeader(busHeaders.targets, _id);
    return { procedure: describeProcedure(texts) };
  });
}

function slugTaken(slug: string): ActionError {
  const message = `A Procedure with the slug ${slug} exists with other content.`;
  return new ActionError('procedure_slug_taken', { message });
}

function isSameDraft(one: ProcedureTexts, other: ProcedureTexts): boolean {
  return (
    one.title === other.title && one.description === other.description && one.markdown === other.markdown
  );
}
