import { addMailbox, findSenders, keepMailbox } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { connectAccount } from '../accounts/connect.ts';
import type { Dependencies } from '../dependencies.ts';

/** The calls of the service `grants` about the mailbox of a Member, and the senders that the Member may use. */
export function serveMemberMailboxes(dependencies: Dependencies): ServedCall[] {
  const { senders, accounts } = dependencies;
  return [
    serveCall(addMailbox, async ({ workspaceId, userId, ...mailbox }, context) => {
      const holder = { workspace_id: workspaceId, user_id: userId };
      const account_id = await connectAccount(holder, mailbox, dependencies, context);
      const { email, provider } = mailbox;
      return { connectionId: await senders.addMailbox({ ...holder, email, provider, account_id }, context) };
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
