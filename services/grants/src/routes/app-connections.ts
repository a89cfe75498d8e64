import { addOwnMailbox, beginAuthorization, completeAuthorization } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { appConnectionRoutes as routes } from '@action-platform/contracts/resources';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeConnection } from '../connections/app-connections.ts';
import { connect } from '../connections/connect.ts';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/**
 * The routes for app connections: of the caller, and for an Owner of all Members. `connect` takes a mailbox as the caller describes it,
 * `authorize` and `complete` one by a sign-in at Microsoft 365. Mail signs in to the mailbox, stores it and makes the id of the connection.
 */
export function serveAppConnectionRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, connections, grants, mailboxChanges, otherServices } = dependencies;
  const { requireSignedIn } = members;
  return [
    serveMemberRoute(routes.list, requireSignedIn, async ({ userId }, context, { _id, role }) => {
      const isOwner = role === 'owner';
      if (!isOwner && userId !== undefined && userId !== _id.user_id)
        throw new ActionError('owner_role_required');
      const found = await connections.list(_id.workspace_id, isOwner ? userId : _id.user_id, context);
      const ids = found.map(({ id }) => id);
      const mailboxes = await otherServices.mailboxes(_id.workspace_id, ids, context);
      return { connections: found.map((each) => describeConnection(each, mailboxes.get(each.id))) };
    }),

    serveMemberRoute(routes.connect, requireSignedIn, async ({ app, ...mailbox }, context, member) => {
      const { _id, connections: live } = member;
      const asked = { ...mailbox, connectionId: live[app] };
      const { connectionId: id } = await otherServices.aboutMailbox(addOwnMailbox, _id, asked, context);
      const stoppedGrants = id === live[app] ? 0 : await connect(dependencies, _id, app, id, context);
      const connection = { id, app, userId: _id.user_id };
      return { connection: describeConnection(connection, { ...mailbox, available: true }), stoppedGrants };
    }),

    serveMemberRoute(routes.authorize, requireSignedIn, async (asked, context, { _id }) =>
      otherServices.aboutMailbox(beginAuthorization, _id, asked, context),
    ),

    serveMemberRoute(routes.complete, requireSignedIn, async (answer, context, { _id }) => {
      const signedIn = await otherServices.aboutMailbox(completeAuthorization, _id, answer, context);
      const { connectionId: id, email } = signedIn;
      const stoppedGrants = await connect(dependencies, _id, 'mail_suite', id, context);
      const connection = { id, app: 'mail_suite', userId: _id.user_id } as const;
      const mailbox = { email, provider: 'graph', available: true };
      return { connection: describeConnection(connection, mailbox), stoppedGrants };
    }),

    serveMemberRoute(routes.disconnect, requireSignedIn, async ({ id }, context, { _id, role }) => {
      const { workspace_id } = _id;
      const visible = role === 'owner' ? undefined : _id.user_id;
      // Mail knows the mailbox of a connection that has ended, so a repetition gets the same answer.
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
      await mailboxChanges.follow(key, context);
      return { connection: { ...describeConnection(connection, mailbox), available: false }, stoppedGrants };
    }),
  ];
}
