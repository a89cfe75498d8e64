import { ActionError, approvalRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeWhole } from '../../approvals/status.ts';
import type { Dependencies } from '../../dependencies.ts';
import { operationsOf } from './operations-of.ts';

/**
 * `grants.decide_approval`: an Owner approves or rejects a call. The first decision counts; the same Owner's repetition of it gets the
 * same answer.
 */
export function serveDecideApproval(dependencies: Dependencies): ServedCall {
  const { members, rules, approvals } = dependencies;
  return serveMemberRoute(approvalRoutes.decide, members.requireOwner, async (input, context, member) => {
    const { workspace_id, user_id } = member._id;
    const asked = await approvals.find(member, input.id, context);
    if (asked === undefined) throw new ActionError('approval_not_found');
    const operations = await operationsOf(dependencies, [asked], context);
    const write = { operation: asked.operation, grantId: asked.origin.grant_id };
    const holding = await rules.holding(workspace_id, write, context);
    const prevents = asked.prevent_self_approval || holding.some((rule) => rule.preventSelfApproval);
    if (prevents && asked.user_id === user_id) throw new ActionError('other_approver_required');

    const verdict = input.decision === 'approve' ? 'approved' : 'rejected';
    const decided = await approvals.decide(asked, { verdict, reason: input.reason }, member, context);
    if (decided !== undefined) return { approval: describeWhole(decided, decided.decision!.at, operations) };
    const present = await approvals.find(member, input.id, context);
    const { decision } = present ?? {};
    const isRepetition =
      decision?.by === user_id && decision.verdict === verdict && decision.reason === input.reason;
    if (!isRepetition) throw new ActionError('approval_not_pending');
    context.markReplayed();
    return { approval: describeWhole(present!, present!.as_of, operations) };
  });
}
