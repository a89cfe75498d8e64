import {
  addMailbox,
  addOwnMailbox,
  beginAuthorization,
  completeAuthorization,
  connectApp,
  disconnectApp,
  listApps,
  mailboxSettings,
  type Timed,
} from '@action-platform/contracts/calls';
import { ActionError, noSuchMember } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import { appConnectionRoutes as routes } from '@action-platform/contracts/resources';
import {
  type CallContext,
  type ServedCall,
  serveCall,
  serveMemberRoute,
} from '@action-platform/service-host';
import { describeConnection } from '../connections/app-connections.ts';
import { connect } from '../connections/connect.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Caller, type MemberKey, memberKey, operatorOf } from '../members/stored-member.ts';

/**
 * The routes for app connections: of the caller, and for an Owner of all Members. `connect` takes a mailbox as the caller describes it,
 * `authorize` and `complete` one by a sign-in at Microsoft 365. Mail signs in to the mailbox, stores it and makes the id of the connection.
 */
export function serveAppConnectionRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, connections, grants, mailboxChanges, otherServices } = dependencies;
  const { requireSignedIn } = members;
  const stillSignedIn = ({ workspace_id: workspaceId, user_id: userId }: MemberKey, timed: Timed) =>
    members.signedIn({ workspaceId, userId }, timed);
  return [
    serveMemberRoute(routes.list, requireSignedIn, listConnections(dependencies)),

    serveMemberRoute(routes.connect, requireSignedIn, async ({ app, ...mailbox }, context, member) => {
      const changedAt = await mailboxChanges.changedAt(member._id, context);
      const asked = { ...mailbox, connectionId: member.connections[app], changedAt };
      const { connectionId: id } = await otherServices.aboutMailbox(
        addOwnMailbox,
        member._id,
        asked,
        context,
      );
      return await connect(dependencies, member, { app, id, mailbox }, context, stillSignedIn);
    }),

    serveMemberRoute(routes.authorize, requireSignedIn, async (asked, context, { _id }) =>
      otherServices.aboutMailbox(beginAuthorization, _id, asked, context),
    ),

    serveMemberRoute(routes.complete, requireSignedIn, async (answer, context, member) => {
      const changedAt = await mailboxChanges.changedAt(member._id, context);
      const asked = { ...answer, changedAt };
      const signedIn = await otherServices.aboutMailbox(completeAuthorization, member._id, asked, context);
      const mailbox = { email: signedIn.email, provider: 'graph' };
      const connection = { app: 'mail_suite', id: signedIn.connectionId, mailbox } as const;
      return await connect(dependencies, member, connection, context, stillSignedIn);
    }),

    serveMemberRoute(routes.disconnect, requireSignedIn, async ({ id }, context, { _id, role }) => {
      const { workspace_id } = _id;
      const visible = role === 'owner' ? undefined : _id.user_id;
      // Mail knows the mailbox of a connection that has ended, so a repetition gets the same answer.
      const mailbox = (await otherServices.mailboxes(workspace_id, [id], context)).get(id);
      const connection =
        mailbox === undefined
          ? await connections.find(workspace_id, visible, id, context)
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

/**
 * The commands for the apps of Members. An operator names any server, and may connect an app without a mailbox. To disconnect one, a
 * removed Member may be named.
 */
export function serveAppCommands(dependencies: Dependencies): ServedCall[] {
  const { members, connections, mailboxChanges, otherServices } = dependencies;
  const requireActive = (key: MemberKey, timed: Timed) => members.requireActive(key, timed);
  return [
    serveCall(connectApp, async ({ workspace, user, app, email, provider, secret, ...options }, context) => {
      const member = await members.requireActive(memberKey(workspace, user), context);
      if (email === undefined) {
        const connection = { app, id: newId('connection'), mailbox: undefined };
        return await connect(dependencies, member, connection, context, requireActive);
      }
      const mailbox = { email, provider };
      const settings = mailboxSettings(options);
      const changedAt = await mailboxChanges.changedAt(member._id, context);
      const asked = { ...mailbox, settings, secret, connectionId: member.connections[app], changedAt };
      const { connectionId: id } = await otherServices.aboutMailbox(addMailbox, member._id, asked, context);
      return await connect(dependencies, member, { app, id, mailbox }, context, requireActive);
    }),

    serveCall(disconnectApp, async ({ workspace, user: userId, app }, context) => {
      const key = memberKey(workspace, userId);
      await members.requireWorkspace(workspace, context);
      if ((await members.find(key, context)) === undefined) throw noSuchMember(workspace, userId);
      await connections.end(key, app, context);
      await mailboxChanges.follow(key, context);
      return { disconnected: { app, userId } };
    }),

    serveCall(listApps, async ({ workspace }, context) => {
      await members.requireWorkspace(workspace, context);
      return await listConnections(dependencies)({}, context, operatorOf(workspace));
    }),
  ];
}

/** Lists the connections of the caller, or those of the Workspace that the caller sees. */
function listConnections({ connections, otherServices }: Dependencies) {
  return async (
    { userId }: { readonly userId?: string | undefined },
    context: CallContext,
    { _id, role }: Caller,
  ) => {
    const isOwner = role === 'owner';
    if (!isOwner && userId !== undefined && userId !== _id.user_id)
      throw new ActionError('owner_role_required');
    const found = await connections.list(_id.workspace_id, isOwner ? userId : _id.user_id, context);
    const ids = found.map(({ id }) => id);
    const mailboxes = await otherServices.mailboxes(_id.workspace_id, ids, context);
    return { connections: found.map((each) => describeConnection(each, mailboxes.get(each.id))) };
  };
}
