import {
  addMailbox,
  connectApp,
  disconnectApp,
  listApps,
  mailboxSettings,
} from '@action-platform/contracts/calls';
import { noSuchMember } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { connect } from '../connections/connect.ts';
import type { Dependencies } from '../dependencies.ts';
import { memberKey } from '../members/stored-member.ts';

/**
 * The commands for the apps of Members. To connect one with an address, mail signs in to the mailbox, stores it and makes the id; grants
 * passes on its refusals. To disconnect one, a removed Member may be named.
 */
export function serveAppCommands(dependencies: Dependencies): ServedCall[] {
  const { members, connections, mailboxChanges, otherServices } = dependencies;
  return [
    serveCall(connectApp, async ({ workspace, user, app, email, provider, secret, ...options }, context) => {
      const key = memberKey(workspace, user);
      const { connections: live } = await members.requireActive(key, context);
      const mailbox = { provider, settings: mailboxSettings(options), secret, connectionId: live[app] };
      const { connectionId: id } =
        email === undefined
          ? { connectionId: newId('connection') }
          : await otherServices.aboutMailbox(addMailbox, key, { email, ...mailbox }, context);
      if (id !== live[app]) await connect(dependencies, key, app, id, context);
      return { connection: { id, app, user_id: user } };
    }),

    serveCall(disconnectApp, async ({ workspace, user, app }, context) => {
      const key = memberKey(workspace, user);
      await members.requireWorkspace(workspace, context);
      if ((await members.find(key, context)) === undefined) throw noSuchMember(workspace, user);
      await connections.end(key, app, context);
      await mailboxChanges.follow(key, context);
      return { disconnected: { app, user_id: user } };
    }),

    serveCall(listApps, async ({ workspace }, context) => {
      await members.requireWorkspace(workspace, context);
      const found = await connections.list(workspace, undefined, context);
      return { connections: found.map(({ id, app, userId }) => ({ id, app, user_id: userId })) };
    }),
  ];
}
