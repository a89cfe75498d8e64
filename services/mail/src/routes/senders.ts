import type { Bus } from '@action-platform/bus';
import { knownMembers } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { senderRoutes } from '@action-platform/contracts/resources';
import {
  type CallContext,
  callOnward,
  requireOwner,
  type ServedCall,
  serveMemberRoute,
} from '@action-platform/service-host';
import { refusal } from '../accounts/connect.ts';
import { memberMailbox } from '../accounts/member-mailbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { shareMailbox } from '../senders/share-mailbox.ts';
import { describeForOwners } from '../senders/stored-mailbox.ts';

/** The routes with which Owners manage the shared mailboxes of their Workspace. */
export function serveSenderRoutes(dependencies: Dependencies): ServedCall[] {
  const { bus, senders, shared, accounts, permitsLocal } = dependencies;
  const owner = requireOwner(bus);
  return [
    serveMemberRoute(senderRoutes.list, owner, async (_query, context, { workspaceId }) => {
      const isAvailable = await senders.availability(workspaceId, context);
      const found = await shared.list(workspaceId, context);
      return { senders: found.map((mailbox) => describeForOwners(mailbox, isAvailable(mailbox))) };
    }),

    serveMemberRoute(senderRoutes.add, owner, async (input, context, { workspaceId }) => {
      const { displayName: display_name, members, everyone, interactive, scheduled, ...mailbox } = input;
      const permitted = await usersOf(bus, workspaceId, { members, everyone }, context);
      if (permitted === undefined) throw refusal('members: these, or everyone, must be given.');
      const uses = { display_name, interactive, scheduled, ...permitted };
      const described = memberMailbox(mailbox, permitsLocal);
      const put = await shareMailbox(dependencies, workspaceId, described, uses, context);
      return { sender: describeForOwners(put, true) };
    }),

    serveMemberRoute(senderRoutes.change, owner, async (input, context, { workspaceId }) => {
      const { id, displayName, members, everyone, interactive, scheduled } = input;
      const change = {
        ...(displayName !== undefined && { display_name: displayName }),
        ...(interactive !== undefined && { interactive }),
        ...(scheduled !== undefined && { scheduled }),
        ...(await usersOf(bus, workspaceId, { members, everyone }, context)),
      };
      const changed = await shared.change(workspaceId, id, change, context);
      const isAvailable = await senders.availability(workspaceId, context);
      return { sender: describeForOwners(changed, isAvailable(changed)) };
    }),

    serveMemberRoute(senderRoutes.remove, owner, async ({ id }, context, { workspaceId }) => {
      const removed =
        (await shared.remove(workspaceId, id, context)) ??
        (await shared.findRemoved(workspaceId, id, context));
      if (removed === null) throw new ActionError('sender_not_found');
      // A crash may have ended the first removal before this; another mailbox may have the address since.
      if ((await shared.find(workspaceId, removed.email, context)) === null) {
        await accounts.remove({ workspace_id: workspaceId, shared: removed.email.toLowerCase() }, context);
      }
      return { sender: describeForOwners(removed, false) };
    }),
  ];
}

/** The Members who may use a mailbox, as it is stored; undefined when neither field is given. */
async function usersOf(
  bus: Bus,
  workspace: string,
  { members, everyone }: { readonly members?: string[] | undefined; readonly everyone?: true | undefined },
  context: CallContext,
) {
  if (members === undefined) return everyone && { members: null, everyone };
  if (everyone) throw refusal('members: these or everyone must be given, not both.');
  const users = [...new Set(members)];
  const known = new Set((await callOnward(bus, knownMembers, { workspace, users }, context)).members);
  const unknown = users.find((user) => !known.has(user));
  if (unknown !== undefined)
    throw refusal(`members: ${JSON.stringify(unknown)} is not an active Member of the Workspace.`);
  return { members: users, everyone: false };
}
