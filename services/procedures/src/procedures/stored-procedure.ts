import { follow, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** A stored draft Procedure. Its texts are plain data, never interpreted. */
export interface StoredProcedure {
  /** `prc_…` */
  readonly _id: string;
  readonly workspace_id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  readonly created_at: Date;
  /** The user id of the Member who created it. */
  readonly created_by: string;
  /** Where its creation came from. */
  readonly origin: Origin;
}

/** The texts that a caller writes; a repeated create has the same. */
export type ProcedureTexts = Pick<StoredProcedure, 'slug' | 'title' | 'description' | 'markdown'>;

/**
 * The Procedures, with the index that makes a slug unique in its Workspace and finds it. Procedures belong to the Workspace, and stay when
 * their author is erased.
 */
export const storedProcedures: StoredDocuments<StoredProcedure> = {
  collection: 'procedures',
  shardKey: 'workspace_id',
  indexes: [{ name: 'slug', key: { workspace_id: 1, slug: 1 }, unique: true }],
  ofWorkspace: byWorkspace,
  exported: {
    type: 'procedure',
    order: { slug: 1 },
    data: ({ created_at, created_by, ...texts }) => ({
      ...describeProcedure(texts),
      created_at,
      created_by,
    }),
  },
};

/** The changes of Procedures: their creation. */
export const procedureChanges = follow(storedProcedures, {
  fields: ['workspace_id', 'created_at', 'origin'],
  changesOf: ({ _id, workspace_id: workspaceId, created_at: time, origin }) => {
    const data = { procedure_id: _id, ...madeBy(origin) };
    return [{ workspaceId, type: 'procedure.drafted', subject: _id, time, data }];
  },
});

/** A draft Procedure as callers see it. */
export function describeProcedure({ markdown, ...texts }: ProcedureTexts) {
  return { ...describeListed(texts), markdown };
}

/** A draft Procedure in a listing. */
export function describeListed({ slug, title, description }: Omit<ProcedureTexts, 'markdown'>) {
  return { slug, title, description, state: 'draft', type: 'procedure', managedBy: 'owner' } as const;
}
