import { ActionError, isIdOf, revokeGrantOf } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { operatorOf } from '../grants/grants.ts';
import { describeGrant } from '../grants/status.ts';

/** `admin.grants.revoke_grant`: revokes a grant as an Owner may; a repetition gives the same answer. */
export function serveRevokeGrantOf({ members, grants }: Dependencies): ServedCall {
  return serveCall(revokeGrantOf, async ({ workspace, grant: id }, context) => {
    await members.requireWorkspace(workspace, context);
    const kind = isIdOf('operationGrant', id) ? 'operation' : 'routine';
    const revoked = await grants.revoke(operatorOf(workspace), kind, id, context);
    if (revoked === undefined) throw new ActionError('grant_not_found');
    return { grant: describeGrant(revoked, { status: 'revoked' }) };
  });
}
