import { addSender } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { LOCAL_PROVIDER } from '../providers/local/local-provider.ts';

/** `admin.mail.add_sender`: the local provider alone keeps shared mailboxes without an account of their own. */
export function serveAddSender({ senders }: Dependencies): ServedCall {
  return serveCall(
    addSender,
    async ({ workspace, email, display_name, member, interactive, scheduled }, context) => {
      const mailbox = {
        workspace_id: workspace,
        email,
        display_name,
        provider: LOCAL_PROVIDER,
        members: member,
        interactive,
        scheduled,
      };
      const senderId = await senders.putShared(mailbox, context);
      return { sender: { sender_id: senderId, email } };
    },
  );
}
