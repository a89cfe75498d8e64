import { listWorkspaces } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeWorkspace } from '../../members/stored-workspace.ts';

/** `admin.grants.list_workspaces`: oldest first, as their ids sort. */
export function serveListWorkspaces({ stored: { workspaces } }: Dependencies): ServedCall {
  return serveCall(listWorkspaces, async (_input, context) => {
    const found = await workspaces.find({}, within(context)).sort({ _id: 1 }).toArray();
    return {
      workspaces: found.map(describeWorkspace),
    };
  });
}
