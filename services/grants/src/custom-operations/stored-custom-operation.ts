import { type Followed, madeBy } from '@action-platform/change-events';
import type { CustomOperation, Origin } from '@action-platform/contracts';
import { byWorkspace, openStored, type StoredDocuments } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';

/** What decides about a call of a custom operation. */
export interface FoundOperation {
  readonly workspace_id: string;
  readonly operation_id: string;
  readonly status: CustomOperation['status'];
  readonly revision: number;
  /** These three never change, so that no grant widens. */
  readonly effect: CustomOperation['effect'];
  readonly availability: CustomOperation['availability'];
  readonly is_destructive: boolean;
}

interface Commit extends Origin {
  readonly type: 'registered' | 'changed' | 'removed';
  readonly at: Date;
}

/** A custom operation of a Workspace. It stays when it is removed: its id keeps its effect and its availability. */
export interface StoredCustomOperation extends FoundOperation {
  /** `cop_…` */
  readonly _id: string;
  /** Its own among as many as a Workspace may have: a unique index makes the limit exact. */
  readonly slot: number;
  readonly content: Pick<CustomOperation, 'title' | 'description' | 'url' | 'timeoutMs' | 'refusals'>;
  /** Both schemas as JSON text: the database takes no field names such as `$schema`, and a listing leaves them out. */
  readonly schemas: string;
  readonly created_at: Date;
  readonly created_by: string;
  readonly updated_at: Date;
  readonly updated_by: string;
  /** The number of the last change, from 1, and the last changes by it. */
  readonly change: number;
  readonly commits: Readonly<Record<string, Commit>>;
}

/** A custom operation without its schemas. */
export type ListedOperation = Omit<StoredCustomOperation, 'schemas'>;

/** Those of an operation that callers may see: its schemas. */
export type Schemas = Pick<CustomOperation, 'inputSchema' | 'outputSchema'>;

export function schemasIn({ schemas }: Pick<StoredCustomOperation, 'schemas'>): Schemas {
  return JSON.parse(schemas);
}

export const storedCustomOperations: StoredDocuments<StoredCustomOperation> = {
  collection: 'custom_operations',
  shardKey: 'workspace_id',
  ofWorkspace: byWorkspace,
  exported: { type: 'custom_operation', order: { operation_id: 1 }, data: describeCustomOperation },
};

/** The custom operations, with an index for each query. */
export async function openCustomOperations(db: Db): Promise<Collection<StoredCustomOperation>> {
  const operations = openStored(db, storedCustomOperations);
  await operations.createIndexes([
    { name: 'operation', key: { workspace_id: 1, operation_id: 1 }, unique: true },
    { name: 'slot', key: { workspace_id: 1, slot: 1 }, unique: true },
    {
      // It answers a discovery by itself: the documents are large.
      name: 'active',
      key: { workspace_id: 1, status: 1, operation_id: 1, revision: 1, availability: 1 },
    },
  ]);
  return operations;
}

/** The changes of custom operations. */
export const customOperationChanges: Followed<StoredCustomOperation> = {
  collection: storedCustomOperations.collection,
  fields: ['workspace_id', 'operation_id', 'commits'],
  updates: true,
  changesOf: ({ _id, workspace_id: workspaceId, operation_id, commits }) =>
    Object.entries(commits).map(([change, { type, at: time, ...origin }]) => ({
      workspaceId,
      type: `custom_operation.${type}` as const,
      subject: _id,
      distinct: change,
      time,
      data: { definition_id: _id, operation_id, ...madeBy(origin) },
      field: `commits.${change}`,
    })),
};

/** A custom operation in a listing. */
export function describeListed(listed: ListedOperation): Omit<CustomOperation, keyof Schemas> {
  return {
    id: listed.operation_id,
    definitionId: listed._id,
    status: listed.status,
    revision: listed.revision,
    ...listed.content,
    effect: listed.effect,
    availability: listed.availability,
    destructive: listed.is_destructive,
    createdAt: listed.created_at.toISOString(),
    createdBy: listed.created_by,
    updatedAt: listed.updated_at.toISOString(),
    updatedBy: listed.updated_by,
  };
}

/** A custom operation as Owners see it. */
export function describeCustomOperation(stored: StoredCustomOperation): CustomOperation {
  return { ...describeListed(stored), ...schemasIn(stored) };
}
