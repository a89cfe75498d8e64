import { connectApp, newId } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Collections } from '../database/collections.ts';
import { memberKey } from '../members/member.ts';
import { noSuchMember } from './no-such-member.ts';

/**
 * `admin.grants.connect_app`: connects an app for an active Member under a fresh connection id, which the app's own
 * service may have made, in place of the one there may have been. Grants bound to another id have stopped.
 */
export function connectAppCall({ workspaces, members }: Collections): ServedCall {
  return serveCall(connectApp, async ({ workspace, user, app, connection: id = newId('connection') }) => {
    const { matchedCount } = await members.updateOne(
      { _id: memberKey(workspace, user), status: 'active' },
      { $set: { [`connections.${app}`]: id } },
    );
    if (matchedCount === 0) throw await noSuchMember({ workspaces }, workspace, user);
    return { connection: { id, app, user_id: user } };
  });
}
