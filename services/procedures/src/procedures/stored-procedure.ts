import type { Collection, Db } from 'mongodb';

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
}

/** The texts that a caller writes; a repeated create has the same. */
export type ProcedureTexts = Pick<StoredProcedure, 'slug' | 'title' | 'description' | 'markdown'>;

/** The Procedures, with the index that makes a slug unique in its Workspace and finds it. */
export async function openProcedures(db: Db): Promise<Collection<StoredProcedure>> {
  const procedures = db.collection<StoredProcedure>('procedures');
  await procedures.createIndex({ workspace_id: 1, slug: 1 }, { name: 'slug', unique: true });
  return procedures;
}

/** A draft Procedure as callers see it. */
export function describeProcedure({ slug, title, description, markdown }: ProcedureTexts) {
  return {
    slug,
    title,
    description,
    markdown,
    state: 'draft',
    type: 'procedure',
    managedBy: 'owner',
  } as const;
}
