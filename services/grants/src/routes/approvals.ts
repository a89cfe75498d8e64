import {
  ActionError,
  type ListedApproval,
  approvalRoutes as routes,
  type Timed,
} from '@action-platform/contracts';
import { readPage } from '@action-platform/paging';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { requireSound } from '../approval-rules/rules.ts';
import { describeApproval, describeWhole } from '../approvals/status.ts';
import type { ApprovalOfCall } from '../approvals/stored-approval.ts';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Membership } from '../members/stored-member.ts';

/** The number of approvals in one query. */
const READ_TOGETHER = 50;
/** The most approvals that a page reads; a status that few have takes several pages. */
const LOOKED_AT_MAX = 1000;

/** The routes for the rules of an Owner's Workspace, and for the approvals that a Member sees. */
export function serveApprovalRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, grants, rules, approvals, limits, cursors } = dependencies;
  const { requireSignedIn, requireOwner } = members;
  return [
    serveMemberRoute(routes.rules, requireOwner, async (_input, context, { _id }) =>
      rules.of(_id.workspace_id, context),
    ),

    serveMemberRoute(routes.setRules, requireOwner, async (input, context, { _id: { workspace_id } }) => {
      const named = input.rules.flatMap(({ grantIds = [] }) => grantIds);
      const known = new Set(await grants.known(workspace_id, named, context));
      const ids = input.rules.flatMap(({ operations = [] }) => operations);
      const operations = await knownOperations(dependencies, workspace_id, ids, context, true);
      requireSound(input.rules, operations, (id) => known.has(id));
      return await rules.set(workspace_id, input, context);
    }),

    serveMemberRoute(routes.list, requireSignedIn, async ({ status, limit, cursor }, context, member) => {
      const listing = JSON.stringify(['approvals', member._id, status]);
      const after = cursors.positionIn(listing, cursor);
      // The status is derived, so the filter applies after the read.
      const page = await readPage(described(dependencies, member, status, after, context), {
        limit,
        maxBytes: limits.PAGE_MAX_BYTES,
        bytesOf: (approval) => Buffer.byteLength(JSON.stringify(approval)),
        isWanted: (approval) => status === undefined || approval.status === status,
        maxRead: LOOKED_AT_MAX,
      });
      return { approvals: [...page.items], nextCursor: cursors.next(listing, page, ({ id }) => id) };
    }),

    serveMemberRoute(routes.get, requireSignedIn, async ({ id }, context, member) => {
      const approval = await approvals.find(member, id, context);
      if (approval === undefined) throw new ActionError('approval_not_found');
      const operations = await operationsOf(dependencies, [approval], context);
      return { approval: describeWhole(approval, approval.as_of, operations) };
    }),

    // The first decision counts; the same Owner's repetition of it gets the same answer.
    serveMemberRoute(routes.decide, requireOwner, async (input, context, member) => {
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
      if (decided !== undefined)
        return { approval: describeWhole(decided, decided.decision!.at, operations) };
      const present = await approvals.find(member, input.id, context);
      const { decision } = present ?? {};
      const isRepetition =
        decision?.by === user_id && decision.verdict === verdict && decision.reason === input.reason;
      if (!isRepetition) throw new ActionError('approval_not_pending');
      context.markReplayed();
      return { approval: describeWhole(present!, present!.as_of, operations) };
    }),
  ];
}

/** The approvals that a Member sees, newest first. */
async function* described(
  dependencies: Dependencies,
  member: Membership,
  status: ListedApproval['status'] | undefined,
  after: string | undefined,
  timed: Timed,
): AsyncGenerator<ListedApproval> {
  let position = after;
  for (;;) {
    const read = await dependencies.approvals.page(member, status, position, READ_TOGETHER, timed);
    const operations = await operationsOf(dependencies, read, timed);
    yield* read.map((approval) => describeApproval(approval, approval.as_of, operations));
    if (read.length < READ_TOGETHER) return;
    position = read.at(-1)!._id;
  }
}

/** The operations of approvals of one Workspace, also those that were removed. */
function operationsOf(dependencies: Dependencies, approvals: readonly ApprovalOfCall[], timed: Timed) {
  const workspaceId = approvals[0]?.workspace_id ?? '';
  const ids = approvals.map(({ operation }) => operation);
  return knownOperations(dependencies, workspaceId, ids, timed, true);
}
