import { ActionError, addMailbox } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { MailParts } from '../mail-parts.ts';

/** admin.mail.add_mailbox */
export function serveAddMailbox({ senders, providers }: MailParts): ServedCall {
  return serveCall(addMailbox, async ({ workspace, user, email, provider }) => {
    if (!providers.has(provider)) {
      throw new ActionError('invalid_request', {
        message: `provider: must be one of ${[...providers.keys()].join(', ')}.`,
      });
    }
    const mailbox = { workspaceId: workspace, userId: user, email, provider };
    return { connection_id: await senders.addMailbox(mailbox) };
  });
}
