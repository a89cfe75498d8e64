import { ActionError, createDraft, newId } from '@action-platform/contracts';
import { isDuplicateKey } from '@action-platform/mongo';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeProcedure, type ProcedureTexts } from '../procedures/stored-procedure.ts';

/**
 * `procedures.create_draft`: one insert under a unique slug. Whoever comes second with the same texts gets the
 * draft there is, so a create whose outcome is unknown can be repeated; with other texts the slug is taken.
 */
export function serveCreateDraft({ procedures }: Dependencies): ServedOperation {
  return serveOperation(createDraft, async ({ slug, title, description, markdown }, { principal }) => {
    const texts: ProcedureTexts = { slug, title, description, markdown };
    const { workspaceId: workspace_id, userId: created_by } = principal;
    try {
      await procedures.insertOne({
        _id: newId('procedure'),
        workspace_id,
        ...texts,
        created_at: new Date(),
        created_by,
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const existing = await procedures.findOne({ workspace_id, slug });
      if (existing === null) throw error;
      if (!isSameDraft(existing, texts)) throw new ActionError('procedure_slug_taken');
    }
    return { procedure: describeProcedure(texts) };
  });
}

function isSameDraft(one: ProcedureTexts, other: ProcedureTexts): boolean {
  return (
    one.title === other.title && one.description === other.description && one.markdown === other.markdown
  );
}
