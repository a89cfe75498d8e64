import { disconnectApp, noSuchMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/** `admin.grants.disconnect_app`: ends a Member's connection of an app; a repetition changes nothing. It accepts a removed Member. */
export function serveDisconnectApp({ members, connections, otherServices }: Dependencies): ServedCall {
  return serveCall(disconnectApp, async ({ workspace, user, app }, context) => {
    const key = memberKey(workspace, user);
    await members.requireWorkspace(workspace, context);
    if ((await members.find(key, context)) === undefined) throw noSuchMember(workspace, user);
    await connections.end(key, app, context);
    await otherServices.keepMailbox(key, undefined, context);
    return { disconnected: { app, user_id: user } };
  });
}
