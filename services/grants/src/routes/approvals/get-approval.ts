import { ActionError, approvalRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeWhole } from '../../approvals/status.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.get_approval`: an approval that the Member sees, with the call itself. */
export function serveGetApproval({ operations, members, approvals }: Dependencies): ServedCall {
  return serveMemberRoute(approvalRoutes.get, members.requireSignedIn, async ({ id }, context, member) => {
    const approval = await approvals.find(member, id, context);
    if (approval === undefined) throw new ActionError('approval_not_found');
    return { approval: describeWhole(approval, approval.as_of, operations) };
  });
}
