import { type ConnectedApp, listApps } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.grants.list_apps` */
export function serveListApps({ members }: Dependencies): ServedCall {
  return serveCall(listApps, async ({ workspace }, context) => ({
    connections: (await members.list(workspace, context)).flatMap(({ _id, connections }) =>
      Object.entries(connections).map(([app, id]) => ({
        id,
        app: app as ConnectedApp,
        user_id: _id.user_id,
      })),
    ),
  }));
}
