import { ActionError, addMailbox } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `mail.add_mailbox` */
export function serveAddMailbox({ senders, providers }: Dependencies): ServedCall {
  return serveCall(addMailbox, async (mailbox, context) => {
    if (!providers.has(mailbox.provider)) {
      throw new ActionError('invalid_request', {
        message: `provider: must be one of ${[...providers.keys()].join(', ')}.`,
      });
    }
    return { connectionId: await senders.addMailbox(mailbox, context) };
  });
}
