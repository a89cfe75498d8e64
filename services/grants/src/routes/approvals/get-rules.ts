import { approvalRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.get_approval_rules`: the rules of an Owner's Workspace. */
export function serveGetRules({ members, rules }: Dependencies): ServedCall {
  return serveMemberRoute(approvalRoutes.rules, members.requireOwner, async (_input, context, member) =>
    rules.of(member._id.workspace_id, context),
  );
}
