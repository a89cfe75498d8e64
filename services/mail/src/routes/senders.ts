import type { Bus } from '@action-platform/bus';
import {
  addSender,
  knownMembers,
  listSenders,
  mailboxSettings,
  rekeyMailSecrets,
  removeSender,
} from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { senderRoutes } from '@action-platform/contracts/resources';
import {
  type CallContext,
  callOnward,
  requireOwner,
  type ServedCall,
  serveCall,
  serveMemberRoute,
} from '@action-platform/service-host';
import type { MailboxToConnect } from '../accounts/connect.ts';
import { memberMailbox } from '../accounts/member-mailbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { removeShared } from '../senders/remove-shared.ts';
import { shareMailbox } from '../senders/share-mailbox.ts';
import { describeForOwners } from '../senders/stored-mailbox.ts';

/** The Members who may use a mailbox, and the calls in which they may. */
interface Uses {
  readonly displayName: string;
  readonly members?: string[] | undefined;
  readonly everyone?: boolean | undefined;
  readonly interactive: boolean;
  readonly scheduled: boolean;
}

/** The handlers that routes and operators' commands share. */
function senderHandlers(dependencies: Dependencies) {
  const { bus, senders, shared } = dependencies;
  return {
    list: async (workspaceId: string, context: CallContext) => {
      const isAvailable = await senders.availability(workspaceId, context);
      const found = await shared.list(workspaceId, context);
      return { senders: found.map((mailbox) => describeForOwners(mailbox, isAvailable(mailbox))) };
    },

    add: async (
      mailbox: MailboxToConnect,
      { displayName: display_name, interactive, scheduled, ...named }: Uses,
      workspaceId: string,
      context: CallContext,
    ) => {
      const permitted = await usersOf(bus, workspaceId, named, context);
      if (permitted === undefined) throw invalidRequest('members: these, or everyone, must be given.');
      const uses = { display_name, interactive, scheduled, ...permitted };
      const put = await shareMailbox(dependencies, workspaceId, mailbox, uses, context);
      return { sender: describeForOwners(put, true) };
    },

    remove: async (id: string, workspaceId: string, context: CallContext) => {
      const removed = await removeShared(dependencies, workspaceId, id, context);
      if (removed === null) throw new ActionError('sender_not_found');
      return { sender: describeForOwners(removed, false) };
    },
  };
}

/** The routes with which Owners manage the shared mailboxes of their Workspace. */
export function serveSenderRoutes(dependencies: Dependencies): ServedCall[] {
  const { bus, senders, shared, permitsLocal } = dependencies;
  const owner = requireOwner(bus);
  const { list, add, remove } = senderHandlers(dependencies);
  return [
    serveMemberRoute(senderRoutes.list, owner, (_query, context, { workspaceId }) =>
      list(workspaceId, context),
    ),

    serveMemberRoute(senderRoutes.add, owner, (input, context, { workspaceId }) =>
      add(memberMailbox(input, permitsLocal), input, workspaceId, context),
    ),

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

    serveMemberRoute(senderRoutes.remove, owner, ({ id }, context, { workspaceId }) =>
      remove(id, workspaceId, context),
    ),
  ];
}

/** The commands for shared mailboxes, and for the secrets of all. An operator names any server. */
export function serveSenderCommands(dependencies: Dependencies): ServedCall[] {
  const { list, add, remove } = senderHandlers(dependencies);
  return [
    serveCall(listSenders, ({ workspace }, context) => list(workspace, context)),

    serveCall(addSender, ({ workspace, email, provider, secret, ...input }, context) => {
      const { display_name: displayName, member, everyone, interactive, scheduled } = input;
      const mailbox = { email, provider, settings: mailboxSettings(input), secret };
      const named = everyone ? { everyone } : { members: member };
      return add(mailbox, { displayName, interactive, scheduled, ...named }, workspace, context);
    }),

    serveCall(removeSender, ({ workspace, sender }, context) => remove(sender, workspace, context)),

    serveCall(rekeyMailSecrets, (_input, context) => dependencies.accounts.rekey(context)),
  ];
}

/** The Members who may use a mailbox, as it is stored; undefined when neither field is given. */
async function usersOf(
  bus: Bus,
  workspace: string,
  { members, everyone }: Pick<Uses, 'members' | 'everyone'>,
  context: CallContext,
) {
  if (members === undefined) return everyone ? { members: null, everyone } : undefined;
  if (everyone) throw invalidRequest('members: these or everyone must be given, not both.');
  const users = [...new Set(members)];
  const known = new Set((await callOnward(bus, knownMembers, { workspace, users }, context)).members);
  const unknown = users.find((user) => !known.has(user));
  if (unknown !== undefined)
    throw invalidRequest(`members: ${JSON.stringify(unknown)} is not an active Member of the Workspace.`);
  return { members: users, everyone: false };
}
