import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { approvalRoutes as routes } from '@action-platform/contracts/resources';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { approvalStatus, nextStates } from '../approvals/states.ts';
import { describeApproval, describeWhole, isApprover } from '../approvals/status.ts';
import type { ApprovalOfCall, StoredApproval } from '../approvals/stored-approval.ts';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { pageByStatus } from './page-by-status.ts';
import { requireSound } from './sound-rules.ts';

/** The number of approvals in one query. */
const TOGETHER = 50;

/** The routes for the rules of an Owner's Workspace, and for the approvals that a Member sees. */
export function serveApprovalRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, memberChanges, rules, approvals } = dependencies;
  const { requireSignedIn, requireOwner } = members;
  return [
    serveMemberRoute(routes.rules, requireOwner, async (_input, context, { _id }) =>
      rules.of(_id.workspace_id, context),
    ),

    serveMemberRoute(routes.setRules, requireOwner, async (input, context, { _id: { workspace_id } }) => {
      const approvers = await requireSound(dependencies, workspace_id, input.rules, context);
      if (input.rules.length > 0) await memberChanges.mark(workspace_id, 'approval_rules', context);
      return await rules.set(workspace_id, { ...input, approvers }, context);
    }),

    serveMemberRoute(routes.list, requireSignedIn, async ({ status, limit, cursor }, context, member) => {
      const listing = JSON.stringify(['approvals', member._id, status]);
      const query = { status, limit, cursor };
      const { items, nextCursor } = await pageByStatus(
        dependencies,
        listing,
        query,
        TOGETHER,
        async (after) => {
          const read = await approvals.page(member, status, after, TOGETHER, context);
          const operations = await operationsOf(dependencies, read, context);
          return read.map((approval) => describeApproval(approval, approval.as_of, operations));
        },
      );
      return { approvals: items, nextCursor };
    }),

    serveMemberRoute(routes.get, requireSignedIn, async ({ id }, context, member) => {
      const approval = await approvals.find(member, id, context);
      if (approval === undefined) throw new ActionError('approval_not_found');
      const describe = await describerOf(dependencies, approval, context);
      return { approval: describe(approval, approval.as_of) };
    }),

    // The first decision counts; the same Member's repetition of it gets the same answer.
    serveMemberRoute(routes.decide, requireSignedIn, async (input, context, member) => {
      const { workspace_id, user_id } = member._id;
      const asked = await approvals.find(member, input.id, context);
      if (asked === undefined) throw new ActionError('approval_not_found');
      const describe = await describerOf(dependencies, asked, context);
      const isOwner = member.role === 'owner';
      const isOwnCall = asked.user_id === user_id;
      const write = { operation: asked.operation, grantId: asked.origin.grant_id };
      const holding =
        isOwner && !isOwnCall ? undefined : await rules.holding(workspace_id, write, asked.input, context);
      const isPending = approvalStatus(asked, asked.as_of) === 'pending';
      // A Member decides only while both the call and the present rules name the Member.
      const isNamed =
        isApprover(member, asked.approvers) && (!isPending || isApprover(member, holding?.approvers));
      if (!isOwner && !isNamed) throw new ActionError('owner_role_required');
      if (isOwnCall && (!isOwner || asked.prevent_self_approval || holding?.preventsSelfApproval))
        throw new ActionError('other_approver_required');

      const decided = await approvals.decide(asked, input, member, context);
      if (decided !== undefined) return { approval: describe(decided, decided.decision!.at) };
      const present = await approvals.find(member, input.id, context);
      const { decision } = present ?? {};
      const isRepetition =
        decision?.by === user_id &&
        decision.verdict === nextStates.pending[input.decision] &&
        decision.reason === input.reason;
      if (!isRepetition) throw new ActionError('approval_not_pending');
      context.markReplayed();
      return { approval: describe(present!, present!.as_of) };
    }),
  ];
}

/** Describes the states of an approval, whose operation and earlier decisions are read once. */
async function describerOf(dependencies: Dependencies, approval: StoredApproval, timed: Timed) {
  const operations = await operationsOf(dependencies, [approval], timed);
  const isFirst = approval.former_id === undefined;
  const before = isFirst ? undefined : await dependencies.approvals.decidedBefore(approval, timed);
  return (state: StoredApproval, now: Date) => describeWhole(state, now, operations, before);
}

/** The operations of approvals of one Workspace, also those that were removed. */
function operationsOf(dependencies: Dependencies, approvals: readonly ApprovalOfCall[], timed: Timed) {
  const workspaceId = approvals[0]?.workspace_id ?? '';
  const ids = approvals.map(({ operation }) => operation);
  return knownOperations(dependencies, workspaceId, ids, timed, true);
}
