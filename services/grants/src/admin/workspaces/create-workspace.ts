import { createWorkspace, newId } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `admin.grants.create_workspace` */
export function serveCreateWorkspace({ stored: { workspaces } }: Dependencies): ServedCall {
  return serveCall(createWorkspace, async ({ name }, context) => {
    const id = newId('workspace');
    await workspaces.insertOne({ _id: id, name, created_at: new Date() }, within(context));
    return { workspace_id: id };
  });
}
