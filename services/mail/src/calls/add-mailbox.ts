import { addMailbox } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { connectAccount } from '../accounts/connect.ts';
import type { Dependencies } from '../dependencies.ts';

/** `mail.add_mailbox` */
export function serveAddMailbox(dependencies: Dependencies): ServedCall {
  return serveCall(addMailbox, async ({ workspaceId, userId, ...mailbox }, context) => {
    const holder = { workspace_id: workspaceId, user_id: userId };
    const accountId = await connectAccount(holder, mailbox, dependencies, context);
    const { email, provider } = mailbox;
    const connectionId = await dependencies.senders.addMailbox(
      { ...holder, email, provider, account_id: accountId },
      context,
    );
    return { connectionId };
  });
}
