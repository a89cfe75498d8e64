import { approvalRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { requireSound } from '../../approval-rules/rules.ts';
import { knownOperations } from '../../custom-operations/known-operations.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.set_approval_rules`: replaces the rules of an Owner's Workspace. */
export function serveSetRules(dependencies: Dependencies): ServedCall {
  const { members, grants, rules } = dependencies;
  return serveMemberRoute(approvalRoutes.setRules, members.requireOwner, async (input, context, member) => {
    const { workspace_id } = member._id;
    const named = input.rules.flatMap(({ grantIds = [] }) => grantIds);
    const known = new Set(await grants.known(workspace_id, named, context));
    const ids = input.rules.flatMap(({ operations = [] }) => operations);
    const operations = await knownOperations(dependencies, workspace_id, ids, context, true);
    requireSound(input.rules, operations, (id) => known.has(id));
    return await rules.set(workspace_id, input, context);
  });
}
