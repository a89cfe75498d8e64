import {
  createWorkspace,
  deleteWorkspace as deleteDeclared,
  limitWorkspace,
  listWorkspaces,
  undeleteWorkspace as undeleteDeclared,
} from '@action-platform/contracts/calls';
import { type ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import { within } from '@action-platform/mongo';
import { type ServedCall, serveCall, storesAny } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { deleteWorkspace, undeleteWorkspace } from '../erasure/workspace-deletion.ts';
import { describeLimit, describeWorkspace } from '../members/stored-workspace.ts';

const DAY_MS = 86_400_000;

/** The commands for Workspaces. A deletion ends all access now, and has everything erased after the grace period. */
export function serveWorkspaceCommands(dependencies: Dependencies): ServedCall[] {
  const { stored, memberChanges, own, otherServices, erasureDelayMs } = dependencies;
  return [
    serveCall(createWorkspace, async ({ name }, context) => {
      const id = newId('workspace');
      const marks = { custom_operations: 'none', approval_rules: 'none' } as const;
      await stored.workspaces.insertOne({ _id: id, name, created_at: new Date(), ...marks }, within(context));
      return { workspace_id: id };
    }),

    serveCall(listWorkspaces, async (_input, context) => {
      // Oldest first, as their ids sort.
      const found = await stored.workspaces.find({}, within(context)).sort({ _id: 1 }).toArray();
      return { workspaces: found.map(describeWorkspace) };
    }),

    serveCall(limitWorkspace, async ({ workspace, calls_per_second, ...asked }, context) => {
      const { no_limit, suspend, resume } = asked;
      if (suspend && resume) throw exclusive('suspend', 'resume');
      if (calls_per_second !== undefined && no_limit) throw exclusive('calls_per_second', 'no_limit');
      const limit = await memberChanges.limit(
        workspace,
        (before) => {
          const most = no_limit ? undefined : (calls_per_second ?? before.calls_per_second);
          const isSuspended = suspend || (before.suspended && !resume);
          return {
            ...(most !== undefined && { calls_per_second: most }),
            ...(isSuspended && { suspended: true }),
          };
        },
        context,
      );
      return { limit: describeLimit(limit) };
    }),

    serveCall(deleteDeclared, async ({ workspace, grace_days, again }, context) => {
      const eraseAfterMs = grace_days * DAY_MS + erasureDelayMs;
      const isStoredAgain = async () =>
        again &&
        ((await storesAny(own, workspace, context)) || (await otherServices.storeAny(workspace, context)));
      const deleted = await deleteWorkspace(stored, workspace, { eraseAfterMs, isStoredAgain }, context);
      return { workspace: describeWorkspace(deleted) };
    }),

    serveCall(undeleteDeclared, async ({ workspace }, context) => ({
      workspace: describeWorkspace(await undeleteWorkspace(stored, workspace, context)),
    })),
  ];
}

function exclusive(one: string, other: string): ActionError {
  return invalidRequest(`${one}: it and ${other} exclude each other.`);
}
