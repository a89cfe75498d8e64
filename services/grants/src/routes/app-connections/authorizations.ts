import { appConnectionRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { connect } from '../../connections/connect.ts';
import { describeConnection } from '../../connections/describe-connections.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.begin_authorization`: mail keeps what completes the sign-in. */
export function serveBeginAuthorization({ members, otherServices }: Dependencies): ServedCall {
  const route = appConnectionRoutes.authorize;
  return serveMemberRoute(route, members.requireSignedIn, async (input, context, { _id }) =>
    otherServices.beginAuthorization(_id, input, context),
  );
}

/** `grants.complete_authorization`: mail redeems the code, signs in to the mailbox, stores it and makes the id of the connection. */
export function serveCompleteAuthorization(dependencies: Dependencies): ServedCall {
  const { members, otherServices } = dependencies;
  const route = appConnectionRoutes.complete;
  return serveMemberRoute(route, members.requireSignedIn, async (answer, context, { _id }) => {
    const { connectionId: id, email } = await otherServices.completeAuthorization(_id, answer, context);
    await connect(dependencies, _id, 'mail_suite', id, context);
    const connection = { id, app: 'mail_suite', userId: _id.user_id } as const;
    return { connection: describeConnection(connection, { email, provider: 'graph', available: true }) };
  });
}
