import {
  addSender,
  listSenders,
  mailboxSettings,
  rekeyMailSecrets,
  removeSender,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { shareMailbox } from '../senders/share-mailbox.ts';
import { describeSharedMailbox } from '../senders/stored-mailbox.ts';

/** The operator's commands about shared mailboxes, and about the secrets of all. */
export function serveSenderCommands(dependencies: Dependencies): ServedCall[] {
  const { shared, accounts } = dependencies;
  return [
    serveCall(addSender, async ({ workspace, email, provider, secret, ...input }, context) => {
      const { display_name, member, everyone, interactive, scheduled } = input;
      const members = everyone ? null : [...new Set(member)];
      const mailbox = { email, provider, settings: mailboxSettings(input), secret };
      const uses = { display_name, members, everyone, interactive, scheduled };
      const { _id } = await shareMailbox(dependencies, workspace, mailbox, uses, context);
      return { sender: { sender_id: _id, email } };
    }),

    serveCall(listSenders, async ({ workspace }, context) => ({
      senders: (await shared.list(workspace, context)).map(describeSharedMailbox),
    })),

    serveCall(removeSender, async ({ workspace, sender: senderId }, context) => {
      const removed = await shared.remove(workspace, senderId, context);
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
