import { ActionError, appConnectionRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeConnection } from '../../connections/app-connections.ts';
import type { Dependencies } from '../../dependencies.ts';
import { memberKey } from '../../members/stored-member.ts';

/**
 * `grants.delete_app_connection`: ends a connection of the caller, or for an Owner of any Member. Mail knows the mailbox of one that has
 * ended, so a repetition gets the same answer.
 */
export function serveDeleteAppConnection(dependencies: Dependencies): ServedCall {
  const { members, connections, grants, otherServices } = dependencies;
  const route = appConnectionRoutes.disconnect;
  return serveMemberRoute(route, members.requireSignedIn, async ({ id }, context, { _id, role }) => {
    const { workspace_id } = _id;
    const visible = role === 'owner' ? undefined : _id.user_id;
    const mailbox = (await otherServices.mailboxes(workspace_id, [id], context)).get(id);
    const connection =
      mailbox === undefined
        ? (await connections.list(workspace_id, visible, context)).find((each) => each.id === id)
        : ({ userId: mailbox.userId, app: 'mail_suite', id } as const);
    if (connection === undefined || connection.userId !== (visible ?? connection.userId))
      throw new ActionError('connection_not_found');

    const key = memberKey(workspace_id, connection.userId);
    const ended = await connections.end(key, connection.app, context, id);
    const stoppedGrants = ended === undefined ? 0 : await grants.stoppedByDisconnection(ended, context);
    const [another] = await connections.list(workspace_id, connection.userId, context);
    if (another === undefined) await otherServices.keepMailbox(key, undefined, context);
    return { connection: { ...describeConnection(connection, mailbox), available: false }, stoppedGrants };
  });
}
