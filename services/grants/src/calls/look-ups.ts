import {
  describeApprovals,
  findApprovals,
  findCustomOperation,
  grantedData,
  knownMembers,
  memberRole,
  suspendedWorkspaces,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { lapsesAt } from '../approvals/states.ts';
import type { Dependencies } from '../dependencies.ts';
import { kindOf } from '../grants/kinds.ts';
import { nameOf } from '../grants/status.ts';
import { memberKey } from '../members/stored-member.ts';

/** The look-ups of other services: custom operations, also removed ones, grants of any status, Members, and approvals. */
export function serveLookUps({
  approvals,
  customOperations,
  grants,
  members,
  operations,
}: Dependencies): ServedCall[] {
  return [
    serveCall(findCustomOperation, (key, context) => customOperations.require(key, context)),

    serveCall(grantedData, async ({ grantId }, context) => {
      const grant = await grants.find(grantId, context);
      if (grant === null) return { data: null };
      return { data: kindOf(grant).scope?.(grant).data ?? null, name: nameOf(grant) };
    }),

    serveCall(knownMembers, ({ workspace, users }, context) => members.known(workspace, users, context)),

    serveCall(memberRole, async ({ whileSuspended = false, ...session }, context) => {
      const member = await members.signedIn(session, context);
      const { role } = member;
      await members.admit(member, { whileSuspended: whileSuspended && role === 'owner' }, context);
      return { role };
    }),

    serveCall(suspendedWorkspaces, async ({ workspaceIds }, context) => ({
      suspended: await members.suspendedAmong(workspaceIds, context),
    })),

    serveCall(findApprovals, async ({ ids, ...session }, context) => {
      const member = await members.signedIn(session, context);
      return { found: await approvals.visibleAmong(member, ids, context) };
    }),

    serveCall(describeApprovals, async ({ workspaceId, ids }, context) => {
      const found = await approvals.byIds(workspaceId, ids, context);
      const described = found.map(async ({ _id: id, user_id, operation, origin, ...approval }) => {
        const [member, grant, custom] = await Promise.all([
          members.whole(memberKey(workspaceId, user_id), context).catch(unlessRefused),
          origin.grant_id === undefined ? null : grants.find(origin.grant_id, context),
          operations.has(operation)
            ? undefined
            : customOperations.require({ workspaceId, id: operation }, context).catch(unlessRefused),
        ]);
        const person = member?.display_name ?? user_id;
        const through = grant && nameOf(grant);
        const caller = through === null ? person : `${person}, with the grant ${through}`;
        const title = (operations.get(operation) ?? custom)?.title ?? operation;
        return { id, title, caller, lapsesAt: lapsesAt(approval).toISOString() };
      });
      return { approvals: await Promise.all(described) };
    }),
  ];
}

/** Returns undefined for the refusal of an object that does not exist, such as an erased Member; its id then stands for its name. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ActionError)) throw error;
}
