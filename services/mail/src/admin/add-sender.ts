import { addSender, mailboxSettings } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { connectAccount } from '../accounts/connect.ts';
import type { Dependencies } from '../dependencies.ts';

/** `admin.mail.add_sender` */
export function serveAddSender(dependencies: Dependencies): ServedCall {
  const { senders, accounts } = dependencies;
  return serveCall(addSender, async ({ workspace, email, provider, secret, ...input }, context) => {
    const holder = { workspace_id: workspace, shared: email.toLowerCase() };
    const mailbox = { email, provider, settings: mailboxSettings(input), secret };
    const accountId = await connectAccount(holder, mailbox, dependencies, context);
    const { display_name, member, everyone, interactive, scheduled } = input;
    const members = everyone ? null : [...new Set(member)];
    const shared = { email, display_name, provider, members, everyone, interactive, scheduled };
    const senderId = await senders.putShared(
      { workspace_id: workspace, ...shared, account_id: accountId },
      context,
    );
    // A concurrent call may have stored another one since.
    const stored = await senders.findShared(workspace, email, context);
    await accounts.keepOnly(holder, stored?.account_id, context);
    return { sender: { sender_id: senderId, email } };
  });
}
