import { ActionError, type Principal } from '@action-platform/contracts';
import type { MailProviders } from '../providers/provider.ts';
import { isAvailable, type Sender } from './sender.ts';

/** The sender that a call means, of those that the caller may use: the one it names, or the Member's own mailbox. */
export function meantSender(senders: readonly Sender[], senderId: string | undefined): Sender | undefined {
  return senders.find((sender) =>
    senderId === undefined ? sender.type === 'member_mailbox' : sender.senderId === senderId,
  );
}

/**
 * The sender that a call means, once it may use it.
 *
 * @throws ActionError `mail_sender_required`, `mail_sender_not_authorized` or `mail_sender_not_eligible`.
 */
export function requireSender(
  sender: Sender | undefined,
  call: { senderId: string | undefined; principal: Principal; providers: MailProviders },
): Sender {
  const { senderId, principal, providers } = call;
  const isScheduled = principal.routine !== undefined;
  if (isScheduled && senderId === undefined) throw new ActionError('mail_sender_required');
  if (sender === undefined) {
    throw new ActionError('mail_sender_not_authorized', {
      message:
        senderId === undefined ? 'The Member has no mailbox of their own to use by default.' : undefined,
    });
  }
  if (!(isScheduled ? sender.scheduled : sender.interactive)) {
    throw new ActionError('mail_sender_not_eligible', {
      message: `This sender is closed to ${isScheduled ? 'scheduled' : 'interactive'} calls.`,
    });
  }
  if (!isAvailable(sender, providers)) {
    throw new ActionError('mail_sender_not_eligible', {
      message: 'This sender is unavailable at the moment.',
    });
  }
  return sender;
}
