import { disconnectApp } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Collections } from '../database/collections.ts';
import { memberKey } from '../members/member.ts';
import { noSuchMember } from './no-such-member.ts';

/** `admin.grants.disconnect_app`: ends a Member's connection of an app; again, or after a removal, changes nothing. */
export function disconnectAppCall({ workspaces, members }: Collections): ServedCall {
  return serveCall(disconnectApp, async ({ workspace, user, app }) => {
    const { matchedCount } = await members.updateOne(
      { _id: memberKey(workspace, user) },
      { $unset: { [`connections.${app}`]: true } },
    );
    if (matchedCount === 0) throw await noSuchMember({ workspaces }, workspace, user);
    return { disconnected: { app, user_id: user } };
  });
}
