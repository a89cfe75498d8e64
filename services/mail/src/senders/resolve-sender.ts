import { ActionError } from '@action-platform/contracts/errors';
import { outsideDataScope } from '@action-platform/service-host';
import { named, type Sender } from './sender.ts';

/**
 * The sender of a call: the named one, or for an interactive call without a name the Member's own mailbox.
 *
 * @param senders the senders that the caller may use.
 * @param senderId the named one, if any; the data scope of a grant was checked for it already.
 * @param granted the sender ids in the data scope of a grant; undefined when the call has no limit.
 * @throws ActionError `mail_sender_required`, `mail_sender_not_authorized`, `grant_data_scope_exceeded` or `mail_sender_not_eligible`.
 */
export function resolveSender(
  senders: readonly Sender[],
  senderId: string | undefined,
  isScheduled: boolean,
  granted: readonly string[] | undefined,
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
  if (granted?.includes(sender.senderId) === false) {
    const what = `the Member's own mailbox, ${sender.senderId},`;
    throw outsideDataScope(what, 'senderIds', granted, named(senders));
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
