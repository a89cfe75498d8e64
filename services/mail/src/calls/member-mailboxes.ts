import {
  addMailbox,
  addOwnMailbox,
  beginAuthorization,
  completeAuthorization,
  describeMailboxes,
  findSenders,
  keepMailbox,
} from '@action-platform/contracts';
import { type CallContext, type ServedCall, serveCall } from '@action-platform/service-host';
import { connectAccount, type MailboxToConnect } from '../accounts/connect.ts';
import { memberMailbox } from '../accounts/member-mailbox.ts';
import type { Dependencies } from '../dependencies.ts';

/** The calls of the service `grants` about the mailbox of a Member, and the senders that the Member may use. */
export function serveMemberMailboxes(dependencies: Dependencies): ServedCall[] {
  const { senders, accounts, authorizations, permitsLocal } = dependencies;
  const add = async (member: MemberId, mailbox: MailboxToConnect, context: CallContext) => {
    const holder = { workspace_id: member.workspaceId, user_id: member.userId };
    const account_id = await connectAccount(holder, mailbox, dependencies, context);
    const { email, provider } = mailbox;
    return await senders.addMailbox({ ...holder, email, provider, account_id }, context);
  };
  return [
    serveCall(addMailbox, async ({ workspaceId, userId, ...mailbox }, context) => ({
      connectionId: await add({ workspaceId, userId }, mailbox, context),
    })),

    serveCall(addOwnMailbox, async ({ workspaceId, userId, ...mailbox }, context) => ({
      connectionId: await add({ workspaceId, userId }, memberMailbox(mailbox, permitsLocal), context),
    })),

    serveCall(beginAuthorization, async ({ workspaceId, userId, email }, context) =>
      authorizations.begin({ workspace_id: workspaceId, user_id: userId }, email, context),
    ),

    serveCall(completeAuthorization, async ({ workspaceId, userId, ...answer }, context) => {
      const holder = { workspace_id: workspaceId, user_id: userId };
      const mailbox = await authorizations.complete(holder, answer, context);
      return { connectionId: await add({ workspaceId, userId }, mailbox, context), email: mailbox.email };
    }),

    serveCall(describeMailboxes, async ({ workspaceId, connectionIds }, context) => {
      const [found, isAvailable] = await Promise.all([
        senders.ofConnections(workspaceId, connectionIds, context),
        senders.availability(workspaceId, context),
      ]);
      const mailboxes = found.map((mailbox) => {
        const { _id: connectionId, user_id: userId, provider, email } = mailbox;
        return { connectionId, userId, provider, email, available: isAvailable(mailbox) };
      });
      return { mailboxes };
    }),

    serveCall(keepMailbox, async ({ workspaceId, userId, connectionId }, context) => {
      const holder = { workspace_id: workspaceId, user_id: userId };
      if (connectionId === undefined) await accounts.remove(holder, context);
      else {
        const mailbox = await senders.findMailbox({ workspaceId, userId, connectionId }, context);
        await accounts.keepOnly(holder, mailbox?.account_id, context);
      }
      return {};
    }),

    serveCall(findSenders, async ({ workspaceId, userId, connectionId, ids }, context) => {
      const visible = await senders.visibleTo({ workspaceId, userId, connectionId }, context);
      const known = new Set(visible.map(({ senderId }) => senderId));
      return { found: ids.filter((id) => known.has(id)) };
    }),
  ];
}

interface MemberId {
  readonly workspaceId: string;
  readonly userId: string;
}
