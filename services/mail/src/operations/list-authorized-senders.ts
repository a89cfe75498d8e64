import { listAuthorizedSenders } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeSender } from '../senders/sender.ts';
import { viewerOf } from '../senders/senders.ts';

/** `mail.list_authorized_senders` */
export function serveListAuthorizedSenders({ senders }: Dependencies): ServedCall {
  return serveOperation(listAuthorizedSenders, async (_input, context) => {
    const { principal, granted } = context;
    const authorized = await senders.visibleTo(viewerOf(principal), context, granted);
    return { senders: authorized.map(describeSender) };
  });
}
