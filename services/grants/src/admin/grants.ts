import { grantKind } from '@action-platform/contracts/authority';
import { listGrantsOf, revokeGrantOf } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { isIdOf } from '@action-platform/contracts/ids';
import { OPERATOR_LIST_MAX } from '@action-platform/contracts/limits';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { operatorOf } from '../grants/grants.ts';
import { describeGrant, grantState } from '../grants/status.ts';

/** The commands for grants: an operator sees those that an Owner of the Workspace sees, and revokes one as an Owner may. */
export function serveGrantCommands({ members, grants }: Dependencies): ServedCall[] {
  return [
    serveCall(listGrantsOf, async ({ workspace }, context) => {
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
    }),

    serveCall(revokeGrantOf, async ({ workspace, grant: id }, context) => {
      await members.requireWorkspace(workspace, context);
      const kind = isIdOf('operationGrant', id) ? 'operation' : 'routine';
      const revoked = await grants.revoke(operatorOf(workspace), kind, id, context);
      if (revoked === undefined) throw new ActionError('grant_not_found');
      return { grant: describeGrant(revoked, { status: 'revoked' }) };
    }),
  ];
}
