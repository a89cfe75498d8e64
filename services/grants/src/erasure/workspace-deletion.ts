import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, noSuchWorkspace } from '@action-platform/contracts/errors';
import { Lease, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import { inWorkspace, type StoredMember } from '../members/stored-member.ts';
import type { StoredWorkspace } from '../members/stored-workspace.ts';

/** How long a replica may take for one step of its work on a Workspace or a user, in milliseconds. */
export const LEASE_MS = 30_000;

/** The pause of a command between attempts to take the lease, in milliseconds. */
const RETRY_MS = 50;

export interface WorkspacesAndMembers {
  readonly workspaces: Collection<StoredWorkspace>;
  readonly members: Collection<StoredMember>;
}

/**
 * Deletes a Workspace: no call reaches it from now on, and its erasure begins after a time, in milliseconds. The first of several times
 * counts. An unknown Workspace was erased, and is erased anew when a service that was set back stores something of it again.
 *
 * The commit point is the update of the Workspace. The marks of its Members follow from it; the background makes those that a crash
 * has left out.
 */
export async function deleteWorkspace(
  stored: WorkspacesAndMembers,
  id: string,
  {
    eraseAfterMs,
    isStoredAgain,
  }: { readonly eraseAfterMs: number; readonly isStoredAgain: () => Promise<boolean> },
  timed: Timed,
): Promise<StoredWorkspace> {
  const deletion = {
    name: { $ifNull: ['$name', 'erased'] },
    created_at: { $ifNull: ['$created_at', '$$NOW'] },
    deleted_at: { $ifNull: ['$deleted_at', '$$NOW'] },
    erase_from: { $min: ['$erase_from', { $add: ['$$NOW', eraseAfterMs] }] },
  };
  const markDeleted = (upsert: boolean) =>
    stored.workspaces.findOneAndUpdate({ _id: id }, [{ $set: deletion }], {
      returnDocument: 'after',
      upsert,
      ...within(timed),
    });
  const deleted = (await markDeleted(false)) ?? ((await isStoredAgain()) ? await markDeleted(true) : null);
  if (deleted === null) throw noSuchWorkspace(id);
  // An erasure under way has marked the Members, and keeps its lease for longer than a command waits.
  if (deleted.is_erasing) return deleted;
  await underLease(stored.workspaces, id, timed, () => markMembers(stored, id, timed));
  return deleted;
}

/** Brings a deleted Workspace back, with everything in it. @throws ActionError `invalid_request` when its erasure has begun */
export async function undeleteWorkspace(
  stored: WorkspacesAndMembers,
  id: string,
  timed: Timed,
): Promise<StoredWorkspace> {
  const back = await stored.workspaces.findOneAndUpdate(
    { _id: id, is_erasing: { $exists: false } },
    { $unset: { deleted_at: true, erase_from: true } },
    { returnDocument: 'after', ...within(timed) },
  );
  if (back === null) throw noSuchWorkspace(id);
  await underLease(stored.workspaces, id, timed, () => markMembers(stored, id, timed));
  return back;
}

/** Marks the Members of a Workspace as it is now: deleted or not. Only the owner of its lease may call it. */
export async function markMembers(
  { workspaces, members }: WorkspacesAndMembers,
  id: string,
  timed: Timed,
): Promise<void> {
  const _id = inWorkspace(id);
  const workspace = await workspaces.findOne({ _id: id }, within(timed));
  if (workspace?.deleted_at === undefined) {
    const unmark = { $unset: { workspace_deleted: true } } as const;
    await members.updateMany({ _id, workspace_deleted: true }, unmark, within(timed));
  } else {
    const unmarked = { _id, workspace_deleted: { $exists: false } };
    await members.updateMany(unmarked, { $set: { workspace_deleted: true } }, within(timed));
  }
}

async function underLease(
  workspaces: Collection<StoredWorkspace>,
  id: string,
  timed: Timed,
  work: () => Promise<void>,
): Promise<void> {
  const lease = new Lease(workspaces, { filter: { _id: id }, owner: randomUUID(), durationMs: LEASE_MS });
  // The background has the lease for a moment at a time. The commit is made, and the repeated command does the rest.
  while ((await lease.take(timed)) === undefined) {
    if (performance.now() + RETRY_MS >= timed.deadline)
      throw new ActionError('action_infrastructure_failure');
    await pause(RETRY_MS);
  }
  try {
    await work();
  } finally {
    await lease.end(timed);
  }
}
