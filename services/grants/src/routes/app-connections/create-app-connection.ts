import {
  addOwnMailbox,
  appConnectionRoutes,
  beginAuthorization,
  completeAuthorization,
} from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeConnection } from '../../connections/app-connections.ts';
import { connect } from '../../connections/connect.ts';
import type { Dependencies } from '../../dependencies.ts';

/**
 * The routes that connect the caller's own mailbox: `grants.create_app_connection` as the caller describes it, the others by a sign-in at
 * Microsoft 365. Mail signs in to the mailbox, stores it and makes the id of the connection.
 */
export function serveCreateAppConnection(dependencies: Dependencies): ServedCall[] {
  const { members, otherServices } = dependencies;
  const routes = appConnectionRoutes;
  return [
    serveMemberRoute(
      routes.connect,
      members.requireSignedIn,
      async ({ app, ...mailbox }, context, { _id }) => {
        const { connectionId: id } = await otherServices.aboutMailbox(addOwnMailbox, _id, mailbox, context);
        await connect(dependencies, _id, app, id, context);
        const connection = { id, app, userId: _id.user_id };
        return { connection: describeConnection(connection, { ...mailbox, available: true }) };
      },
    ),

    serveMemberRoute(routes.authorize, members.requireSignedIn, async (asked, context, { _id }) =>
      otherServices.aboutMailbox(beginAuthorization, _id, asked, context),
    ),

    serveMemberRoute(routes.complete, members.requireSignedIn, async (answer, context, { _id }) => {
      const signedIn = await otherServices.aboutMailbox(completeAuthorization, _id, answer, context);
      const { connectionId: id, email } = signedIn;
      await connect(dependencies, _id, 'mail_suite', id, context);
      const connection = { id, app: 'mail_suite', userId: _id.user_id } as const;
      return { connection: describeConnection(connection, { email, provider: 'graph', available: true }) };
    }),
  ];
}
