import { ActionError, approvalRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeWhole } from '../../approvals/status.ts';
import type { Dependencies } from '../../dependencies.ts';
import { operationsOf } from './operations-of.ts';

/** `grants.get_approval`: an approval that the Member sees, with the call itself. */
export function serveGetApproval(dependencies: Dependencies): ServedCall {
  const { members, approvals } = dependencies;
  return serveMemberRoute(approvalRoutes.get, members.requireSignedIn, async ({ id }, context, member) => {
    const approval = await approvals.find(member, id, context);
    if (approval === undefined) throw new ActionError('approval_not_found');
    const operations = await operationsOf(dependencies, [approval], context);
    return { approval: describeWhole(approval, approval.as_of, operations) };
  });
}
