import { ActionError, removeSender } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeSharedMailbox } from '../senders/stored-mailbox.ts';

/** `admin.mail.remove_sender` */
export function serveRemoveSender({ senders, accounts }: Dependencies): ServedCall {
  return serveCall(removeSender, async ({ workspace, sender: senderId }, context) => {
    const removed = await senders.removeShared(workspace, senderId, context);
    if (removed === null) {
      throw new ActionError('invalid_request', {
        message: `sender: there is no shared mailbox ${JSON.stringify(senderId)} in this Workspace.`,
      });
    }
    await accounts.remove({ workspace_id: workspace, shared: removed.address }, context);
    return { sender: describeSharedMailbox(removed) };
  });
}
