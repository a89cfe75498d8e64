import { ActionError } from '@action-platform/contracts/errors';
import type { Sender } from './sender.ts';

/**
 * The sender of a call: the named one, or for an interactive call without a name the Member's own mailbox.
 *
 * @param senders the senders that the caller may use.
 * @param senderId the named one, if any.
 * @throws ActionError `mail_sender_required`, `mail_sender_not_authorized` or `mail_sender_not_eligible`.
 */
export function resolveSender(
  senders: readonly Sender[],
  senderId: string | undefined,
  isScheduled: boolean,
): Sender {
  if (isScheduled && senderId === undefined) throw new ActionError('mail_sender_required');
  const sender = senders.find((each) =>
    senderId === undefined ? each.type === 'member_mailbox' : each.senderId === senderId,
  );
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
  if (!sender.isAvailable) {
    throw new ActionError('mail_sender_not_eligible', {
      message: 'This sender is unavailable at the moment.',
    });
  }
  return sender;
}
