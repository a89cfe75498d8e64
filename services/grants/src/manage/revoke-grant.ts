import { ActionError, revokeGrant } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { describeGrant } from '../grants/describe.ts';
import type { Management } from './management.ts';
import { visibleGrants } from './visible.ts';

/** `grants.revoke`: ends a grant that the Member sees, whatever its status is; again gives the same answer. */
export function revokeGrantCall({ members, grants }: Pick<Management, 'members' | 'grants'>): ServedCall {
  return serveCall(revokeGrant, async ({ kind, id }, context) => {
    const member = await members.requireActive(context.session());
    const grant = await grants.revoke({ ...visibleGrants(member, kind), _id: id });
    if (grant === undefined) throw new ActionError('grant_not_found');
    return { grant: describeGrant(grant, { status: 'revoked' }) };
  });
}
