import { ActionError, createDraft, newId } from '@action-platform/contracts';
import { isDuplicateKey } from '@action-platform/mongo';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import type { StoredProcedure } from '../procedures/stored-procedure.ts';

/** The texts of a draft, by which a repeated create is told from another one. */
type Draft = Pick<StoredProcedure, 'slug' | 'title' | 'description' | 'markdown'>;

/** What all drafts have in common. */
const everyDraft = { state: 'draft', type: 'procedure', managedBy: 'owner' } as const;

/**
 * `procedures.create_draft`: one insert under a unique slug. Whoever comes second with the same texts gets the
 * draft there is, so a create whose outcome is unknown can be repeated; with other texts the slug is taken.
 */
export function serveCreateDraft(procedures: Collection<StoredProcedure>): ServedOperation {
  return serveOperation(createDraft, async ({ slug, title, description, markdown }, { principal }) => {
    const draft: Draft = { slug, title, description, markdown };
    const { workspaceId: workspace_id, userId: created_by } = principal;
    try {
      await procedures.insertOne({
        _id: newId('procedure'),
        workspace_id,
        ...draft,
        created_at: new Date(),
        created_by,
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const existing = await procedures.findOne({ workspace_id, slug });
      if (existing === null) throw error;
      if (!isSameDraft(existing, draft)) throw new ActionError('procedure_slug_taken');
    }
    return { procedure: { ...draft, ...everyDraft } };
  });
}

function isSameDraft(one: Draft, other: Draft): boolean {
  return (
    one.title === other.title && one.description === other.description && one.markdown === other.markdown
  );
}
