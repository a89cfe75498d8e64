import { ActionError, type GrantKind, grantRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeGrant } from '../grants/status.ts';

/**
 * `grants.revoke_operation_grant`, `grants.revoke_routine_grant`: revokes a grant of any status that the Member sees; a
 * repetition gives the same answer.
 */
export function serveRevokeGrant(kind: GrantKind, { members, grants }: Dependencies): ServedCall {
  return serveMemberRoute(
    grantRoutes[kind].revoke,
    members.requireSignedIn,
    async ({ id }, context, member) => {
      const grant = await grants.revoke(member, kind, id, context);
      if (grant === undefined) throw new ActionError('grant_not_found');
      return { grant: describeGrant(grant, { status: 'revoked' }) };
    },
  );
}
