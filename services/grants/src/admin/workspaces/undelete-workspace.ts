import { undeleteWorkspace as declared } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { undeleteWorkspace } from '../../erasure/workspace-deletion.ts';
import { describeWorkspace } from '../../members/stored-workspace.ts';

/** `admin.grants.undelete_workspace` */
export function serveUndeleteWorkspace({ stored }: Dependencies): ServedCall {
  return serveCall(declared, async ({ workspace }, context) => ({
    workspace: describeWorkspace(await undeleteWorkspace(stored, workspace, context)),
  }));
}
