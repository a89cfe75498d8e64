import { keepMailbox } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `mail.keep_mailbox` */
export function serveKeepMailbox({ senders, accounts }: Dependencies): ServedCall {
  return serveCall(keepMailbox, async ({ workspaceId, userId, connectionId }, context) => {
    const holder = { workspace_id: workspaceId, user_id: userId };
    if (connectionId === undefined) {
      await accounts.remove(holder, context);
      return {};
    }
    const mailbox = await senders.findMailbox({ workspaceId, userId, connectionId }, context);
    await accounts.keepOnly(holder, mailbox?.account_id, context);
    return {};
  });
}
