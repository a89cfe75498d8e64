import type { Collection, Db, Document, IndexDescription } from 'mongodb';

/** The field that leads the shard key of a collection, or the reason why the platform does not shard it. */
type ShardKey = 'workspace_id' | '_id' | 'grant_id' | { readonly unsharded: string };

/** How the documents of a Workspace appear in its export. */
export interface ExportedDocuments<Stored extends Document = Document> {
  /** The kind of thing, in each line. */
  readonly type: string;
  /** The fields that follow in the index of `ofWorkspace`, with their directions. The fields are unique together and never change. */
  readonly order: Readonly<Record<string, 1 | -1>>;
  /** Reads the documents whose `field` has the `_id` of one document of another collection after the other, as an index has them. */
  readonly forEach?: { readonly collection: string; readonly field: string };
  /** Limits the export to these. */
  readonly filter?: Readonly<Record<string, unknown>>;
  /** The data of a line: never a secret. */
  data(document: Stored): object;
}

/**
 * The declaration of a collection of a service's database: how it would be sharded, and how the service host exports and erases what it
 * has of a Workspace. The declaration is beside the type of the documents.
 */
export interface StoredDocuments<Stored extends Document = Document> {
  /** The name of the collection. */
  readonly collection: string;
  readonly shardKey: ShardKey;
  /** The collection's indexes besides that of `_id`, which `openIndexed` creates. */
  readonly indexes?: readonly IndexDescription[];
  /** The names of indexes of former versions, which `openIndexed` drops: a unique one would refuse documents of this version. */
  readonly formerIndexes?: readonly string[];
  /** The filter of the documents of a Workspace, which an index has; undefined when none belongs to a Workspace by itself. */
  readonly ofWorkspace?: (workspaceId: string) => Document;
  /** The filter of the documents that an erasure of a user in a Workspace deletes, which an index has. */
  readonly ofMember?: (workspaceId: string, userId: string) => Document;
  /** Documents that are deleted with these: those whose `field` has the `_id` of one. */
  readonly parts?: { readonly collection: string; readonly field: string };
  /** Undefined for documents that are no data of the Workspace, or secret. */
  readonly exported?: ExportedDocuments<Stored>;
}

/** The documents with this field `workspace_id`. */
export const byWorkspace = (workspace_id: string): Document => ({ workspace_id });

/** The documents with these fields `workspace_id` and `user_id`. */
export const byMember = (workspace_id: string, user_id: string): Document => ({ workspace_id, user_id });

/** The collection of a declaration, as it is. */
export function openStored<Stored extends Document>(
  db: Db,
  { collection }: StoredDocuments<Stored>,
): Collection<Stored> {
  return db.collection(collection);
}
