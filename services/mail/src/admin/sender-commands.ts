import {
  ActionError,
  addSender,
  listSenders,
  mailboxSettings,
  rekeyMailSecrets,
  removeSender,
} from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { connectAccount } from '../accounts/connect.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeSharedMailbox } from '../senders/stored-mailbox.ts';

/** The operator's commands about shared mailboxes, and about the secrets of all. */
export function serveSenderCommands(dependencies: Dependencies): ServedCall[] {
  const { senders, accounts } = dependencies;
  return [
    serveCall(addSender, async ({ workspace, email, provider, secret, ...input }, context) => {
      const holder = { workspace_id: workspace, shared: email.toLowerCase() };
      const mailbox = { email, provider, settings: mailboxSettings(input), secret };
      const account_id = await connectAccount(holder, mailbox, dependencies, context);
      const { display_name, member, everyone, interactive, scheduled } = input;
      const members = everyone ? null : [...new Set(member)];
      const shared = { email, display_name, provider, members, everyone, interactive, scheduled };
      const senderId = await senders.putShared({ workspace_id: workspace, ...shared, account_id }, context);
      // A concurrent call may have stored another one since.
      const stored = await senders.findShared(workspace, email, context);
      await accounts.keepOnly(holder, stored?.account_id, context);
      return { sender: { sender_id: senderId, email } };
    }),

    serveCall(listSenders, async ({ workspace }, context) => ({
      senders: (await senders.listShared(workspace, context)).map(describeSharedMailbox),
    })),

    serveCall(removeSender, async ({ workspace, sender: senderId }, context) => {
      const removed = await senders.removeShared(workspace, senderId, context);
      if (removed === null) {
        throw new ActionError('invalid_request', {
          message: `sender: there is no shared mailbox ${JSON.stringify(senderId)} in this Workspace.`,
        });
      }
      await accounts.remove({ workspace_id: workspace, shared: removed.address }, context);
      return { sender: describeSharedMailbox(removed) };
    }),

    serveCall(rekeyMailSecrets, (_input, context) => accounts.rekey(context)),
  ];
}
