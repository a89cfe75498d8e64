import { listApps } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.grants.list_apps` */
export function serveListApps({ members, connections }: Dependencies): ServedCall {
  return serveCall(listApps, async ({ workspace }, context) => {
    await members.requireWorkspace(workspace, context);
    const found = await connections.list(workspace, undefined, context);
    return { connections: found.map(({ id, app, userId }) => ({ id, app, user_id: userId })) };
  });
}
