import { followCommits, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { CustomOperation } from '@action-platform/contracts/operations';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** A custom operation of a Workspace. A removed operation stays stored: its id keeps its effect and its availability. */
export interface StoredCustomOperation {
  /** `cop_…` */
  readonly _id: string;
  readonly workspace_id: string;
  /** The operation's number among those of the Workspace: a unique index makes the limit exact. */
  readonly slot: number;
  readonly listed: ListedOperation;
  /** Both schemas as JSON text: the database takes no field names such as `$schema`, and a listing leaves them out. */
  readonly schemas: string;
  /** The number of the last change, from 1, and the last changes by it. */
  readonly change: number;
  readonly commits: Readonly<Record<string, Commit>>;
}

/** A custom operation as Owners see it in a listing. */
export type ListedOperation = Omit<CustomOperation, 'inputSchema' | 'outputSchema'>;

interface Commit extends Origin {
  readonly type: 'registered' | 'changed' | 'removed';
  readonly at: Date;
}

/** The fields that a discovery reads. */
export const activeFields = { 'listed.id': 1, 'listed.revision': 1, 'listed.availability': 1 } as const;

/** The custom operations, with an index for each query; the last one answers a discovery by itself, as documents are large. */
export const storedCustomOperations: StoredDocuments<StoredCustomOperation> = {
  collection: 'custom_operations',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'operation', key: { workspace_id: 1, 'listed.id': 1 }, unique: true },
    { name: 'slot', key: { workspace_id: 1, slot: 1 }, unique: true },
    { name: 'active', key: { workspace_id: 1, 'listed.status': 1, ...activeFields } },
  ],
  ofWorkspace: byWorkspace,
  exported: { type: 'custom_operation', order: { slot: 1 }, data: describeCustomOperation },
};

/** The changes of custom operations. */
export const customOperationChanges = followCommits(
  storedCustomOperations,
  ['workspace_id', 'listed'],
  ({ _id, workspace_id: workspaceId, listed }, commit) => ({
    workspaceId,
    type: `custom_operation.${commit.type}`,
    subject: _id,
    data: { definition_id: _id, operation_id: listed.id, ...madeBy(commit) },
  }),
);

/** A custom operation as Owners see it. */
export function describeCustomOperation({
  listed,
  schemas,
}: Pick<StoredCustomOperation, 'listed' | 'schemas'>): CustomOperation {
  return { ...listed, ...JSON.parse(schemas) };
}
