import { listAuthorizedSenders } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { MailParts } from '../mail-parts.ts';
import { describeSender } from '../senders/sender.ts';

/** mail.list_authorized_senders */
export function serveListAuthorizedSenders({ senders, providers }: MailParts): ServedOperation {
  return serveOperation(listAuthorizedSenders, async (_input, { principal }) => {
    const authorized = await senders.authorizedFor(principal);
    return { senders: authorized.map((sender) => describeSender(sender, providers)) };
  });
}
