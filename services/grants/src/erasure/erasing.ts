/*
 * The erasure of deleted Workspaces, and of users in a Workspace.
 *
 * The Workspace or the membership has the time of the next round, `erase_from`. Any replica runs a round under the lease of that document:
 * each service erases its part, grants its own last. Every step finds by itself what is left, so a crash anywhere costs nothing but time. A
 * round that found nothing to erase ends the erasure; other rounds are repeated after a pause. A round that failed, or ended its process,
 * is repeated after a pause that doubles, and delays no other Workspace or user.
 *
 * The first round begins some time after authority has ended: longer than any call and its way to the audit log, so what calls under
 * way have written is erased too.
 */
import type { Bus } from '@action-platform/bus';
import { inBackground } from '@action-platform/contracts/calls';
import { attemptDue, type RepeatedWork, type Rounds, startRounds, within } from '@action-platform/mongo';
import type { Logger, StoredData } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import type { StoredMember } from '../members/stored-member.ts';
import type { StoredWorkspace } from '../members/stored-workspace.ts';
import { eraseEverywhere } from './erase-everywhere.ts';
import { LEASE_MS, markMembers, type WorkspacesAndMembers } from './workspace-deletion.ts';

/** The longest pause after failed rounds, in milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;

export interface ErasingOptions extends WorkspacesAndMembers {
  /** The part of grants, without the Workspaces. */
  readonly own: StoredData;
  readonly bus: Bus;
  readonly log: Logger;
  /** The pause between two rounds, in milliseconds. */
  readonly pauseMs: number;
}

/** Starts the rounds of this replica. */
export function startErasing(options: ErasingOptions): Rounds {
  const { log, pauseMs } = options;
  let failing = 0;
  gauge('erasure.failing', () => failing);
  const [deletions, workspaceErasures, memberErasures] = [
    deletionsOf(options),
    erasuresOfWorkspaces(options),
    erasuresOfMembers(options),
  ];
  const failure = 'erasures that are due cannot be read; trying again';
  return startRounds(
    async (signal) => {
      failing =
        (await attemptDue(deletions, log, signal)) +
        (await attemptDue(workspaceErasures, log, signal)) +
        (await attemptDue(memberErasures, log, signal));
    },
    { pauseMs, log, failure },
  );
}

const isDue = { $expr: { $lte: ['$erase_from', '$$NOW'] } };
const ofWorkspace = (workspace: StoredWorkspace['_id']) => ({ workspace });

/** Marks the Members of a deleted Workspace, and begins its erasure when that is due. No pause grows: a command may wait for its lease. */
function deletionsOf(options: ErasingOptions): RepeatedWork<StoredWorkspace> {
  const { workspaces, pauseMs } = options;
  return {
    name: 'the deletion of a Workspace',
    documents: workspaces,
    due: { deleted_at: { $exists: true }, is_erasing: { $exists: false } },
    durationMs: LEASE_MS,
    pause: { firstMs: pauseMs, longestMs: pauseMs },
    idsOf: ofWorkspace,
    attempt: async (_id) => {
      await markMembers(options, _id, inBackground);
      const due = { _id, deleted_at: { $exists: true }, ...isDue };
      await workspaces.updateOne(due, { $set: { is_erasing: true } }, within(inBackground));
    },
  };
}

function erasuresOfWorkspaces(options: ErasingOptions): RepeatedWork<StoredWorkspace> {
  const { workspaces, log, pauseMs } = options;
  return {
    name: 'the erasure of a Workspace',
    documents: workspaces,
    due: { deleted_at: { $exists: true }, is_erasing: true, ...isDue },
    durationMs: LEASE_MS,
    pause: { firstMs: pauseMs, longestMs: LONGEST_PAUSE_MS },
    idsOf: ofWorkspace,
    attempt: async (_id, mayGoOn) => {
      const removed = await eraseEverywhere(options, { workspaceId: _id }, mayGoOn);
      if (removed === undefined) return;
      log.info({ workspace: _id, removed }, removed === 0 ? 'erased a Workspace' : 'erasing a Workspace');
      if (removed === 0) await workspaces.deleteOne({ _id, is_erasing: true }, within(inBackground));
      else await workspaces.updateOne({ _id }, [{ $set: nextRound(options) }], within(inBackground));
    },
  };
}

function erasuresOfMembers(options: ErasingOptions): RepeatedWork<StoredMember> {
  const { members, log, pauseMs } = options;
  return {
    name: 'the erasure of a Member',
    documents: members,
    due: { erase_from: { $exists: true }, workspace_deleted: { $exists: false }, ...isDue },
    durationMs: LEASE_MS,
    pause: { firstMs: pauseMs, longestMs: LONGEST_PAUSE_MS },
    idsOf: ({ workspace_id: workspace, user_id: user }) => ({ workspace, user }),
    attempt: async (_id, mayGoOn) => {
      const { workspace_id: workspaceId, user_id: userId } = _id;
      const removed = await eraseEverywhere(options, { workspaceId, userId }, mayGoOn);
      if (removed === undefined) return;
      log.info(
        { workspace: workspaceId, user: userId, removed },
        removed === 0 ? 'erased a Member' : 'erasing a Member',
      );
      const forgotten = { connections_at_end: '$$REMOVE', display_name: '$$REMOVE' };
      const done = { erased_at: '$$NOW', erase_from: '$$REMOVE', ...forgotten };
      const set = removed === 0 ? done : nextRound(options);
      await members.updateOne({ _id, status: 'removed' }, [{ $set: set }], within(inBackground));
    },
  };
}

function nextRound({ pauseMs }: ErasingOptions) {
  return { erase_from: { $add: ['$$NOW', pauseMs] } };
}
