import { grantKind, listGrantsOf, OPERATOR_LIST_MAX } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { operatorOf } from '../grants/grants.ts';
import { describeGrant, grantState } from '../grants/status.ts';

/** `admin.grants.list_grants`: the grants of both kinds that an Owner of the Workspace sees. */
export function serveListGrantsOf({ members, grants }: Dependencies): ServedCall {
  return serveCall(listGrantsOf, async ({ workspace }, context) => {
    const byId = new Map(
      (await members.list(workspace, context)).map((member) => [member._id.user_id, member]),
    );
    const pages = grantKind.options.map((kind) =>
      grants.page(operatorOf(workspace), kind, undefined, OPERATOR_LIST_MAX, context),
    );
    const newestFirst = (await Promise.all(pages))
      .flat()
      .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime());
    return {
      grants: newestFirst
        .slice(0, OPERATOR_LIST_MAX)
        .map((grant) => describeGrant(grant, grantState(grant, byId.get(grant.user_id), grant.as_of))),
    };
  });
}
