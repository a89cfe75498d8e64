import { listWorkspaces } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.grants.list_workspaces`: their ids sort by when they were made. */
export function serveListWorkspaces({ workspaces }: Dependencies): ServedCall {
  return serveCall(listWorkspaces, async () => {
    const found = await workspaces.find().sort({ _id: 1 }).toArray();
    return {
      workspaces: found.map(({ _id, name, created_at }) => ({
        workspace_id: _id,
        name,
        created_at: created_at.toISOString(),
      })),
    };
  });
}
