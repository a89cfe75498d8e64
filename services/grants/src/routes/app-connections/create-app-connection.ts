import { appConnectionRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { connect } from '../../connections/connect.ts';
import { describeConnection } from '../../connections/describe-connections.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.create_app_connection`: mail signs in to the caller's own mailbox, stores it and makes the id. */
export function serveCreateAppConnection(dependencies: Dependencies): ServedCall {
  const { members, otherServices } = dependencies;
  const route = appConnectionRoutes.connect;
  return serveMemberRoute(route, members.requireSignedIn, async ({ app, ...mailbox }, context, { _id }) => {
    const id = await otherServices.addOwnMailbox(_id, mailbox, context);
    await connect(dependencies, _id, app, id, context);
    const { email, provider } = mailbox;
    const connection = { id, app, userId: _id.user_id };
    return { connection: describeConnection(connection, { email, provider, available: true }) };
  });
}
