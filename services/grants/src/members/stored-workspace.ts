import { followCommits, madeBy } from '@action-platform/change-events';
import type { Role } from '@action-platform/contracts/authority';
import type { Origin } from '@action-platform/contracts/calls';
import type { StoredDocuments, StoredLease } from '@action-platform/mongo';
import type { MembershipChange, WorkspaceLimit, WorkspaceMarks } from './stored-member.ts';

/** A change of a membership that has begun: see `member-changes.ts`. */
export interface ChangeUnderWay {
  /** Counts the changes of a Workspace from 1. */
  readonly number: number;
  readonly user_id: string;
  readonly type: MembershipChange | 'erased';
  readonly role?: Role;
  readonly display_name?: string;
  readonly erasure?: { readonly afterMs: number; readonly again: boolean };
  /** The marks of a membership that the change adds. */
  readonly marks?: WorkspaceMarks;
  readonly origin: Origin;
}

/** Whether a Workspace has, or had, something, and its memberships have the mark. */
export type Marking = 'none' | 'marking' | 'marked';

/** A Workspace. Its erasure deletes it last. */
export interface StoredWorkspace {
  /** `ws_…` */
  readonly _id: string;
  readonly name: string;
  readonly created_at: Date;
  /** The user ids of its active Owners, and the number of its active Members; absent before the first change. */
  readonly owners?: readonly string[];
  readonly members?: number;
  /** The number of the last change of a membership. */
  readonly changes?: number;
  readonly change?: ChangeUnderWay;
  /**
   * The marks of its memberships: added memberships have one from `marking` on, all memberships when `marked`. Absent in a Workspace of a
   * version without marks: nothing is known of it.
   */
  readonly custom_operations?: Marking;
  readonly approval_rules?: Marking;
  /** Absent before the first change of it. */
  readonly limit?: WorkspaceLimit;
  /** The last changes of the limit, by their revision. */
  readonly commits?: Readonly<Record<string, Origin & WorkspaceLimit & { readonly at: Date }>>;
  /** When the Workspace was deleted, which counts as absent from then on. */
  readonly deleted_at?: Date;
  /** When the next round of its erasure begins; set with `deleted_at`. */
  readonly erase_from?: Date;
  /** Set once the erasure of the Workspace has begun: nothing brings it back. */
  readonly is_erasing?: true;
  /** The replica that marks its Members or erases it. */
  readonly lease?: StoredLease;
}

/** The Workspaces, found by their `_id` alone; the index is for the background. */
export const storedWorkspaces: StoredDocuments<StoredWorkspace> = {
  collection: 'workspaces',
  shardKey: '_id',
  indexes: [{ key: { deleted_at: 1 }, name: 'deleted', sparse: true }],
  ofWorkspace: (_id) => ({ _id }),
  exported: { type: 'workspace', order: { _id: 1 }, data: describeWorkspace },
};

/** The changes of limits. */
export const limitChanges = followCommits(storedWorkspaces, [], ({ _id: workspaceId }, commit) => ({
  workspaceId,
  type: 'workspace.limit_changed',
  subject: workspaceId,
  data: { ...describeLimit(commit), ...madeBy(commit) },
}));

/** A limit as operators and Owners see it. */
export function describeLimit({
  calls_per_second = null,
  suspended = false,
}: {
  calls_per_second?: number | null;
  suspended?: boolean;
}) {
  return { calls_per_second, suspended };
}

/** A Workspace as operators see it. */
export function describeWorkspace({ _id, name, created_at, deleted_at, erase_from, limit }: StoredWorkspace) {
  return {
    workspace_id: _id,
    name,
    created_at: created_at.toISOString(),
    ...(deleted_at && { deleted_at: deleted_at.toISOString() }),
    ...(limit && { limit: describeLimit(limit) }),
    ...(erase_from && { erased_from: erase_from.toISOString() }),
  };
}
