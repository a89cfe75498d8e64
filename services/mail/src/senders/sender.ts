import { hash } from 'node:crypto';
import type { NamedData } from '@action-platform/contracts/calls';
import { idPrefixes } from '@action-platform/contracts/ids';
import type { AuthorizedSender } from '@action-platform/contracts/operations';
import type { StoredMailbox, StoredSharedMailbox } from './stored-mailbox.ts';

/** Whether a sender is a Member's own mailbox or a shared one. */
export type SenderType = NonNullable<AuthorizedSender['type']>;

/** The mailbox of a sender. */
export interface DraftMailbox {
  /** The provider that keeps its drafts. */
  readonly provider: string;
  /** The account of the sender's mailbox; a retry looks for the draft in no other. */
  readonly account_id: string;
  readonly email: string;
  readonly display_name: string;
}

/** A mailbox that a Member may draft e-mails in. */
export interface Sender {
  readonly senderId: string;
  readonly type: SenderType;
  readonly mailbox: DraftMailbox;
  /** Whether this platform has its provider, and its account was not refused. */
  readonly isAvailable: boolean;
  /** Whether a session or an operation grant may use it. */
  readonly interactive: boolean;
  /** Whether a routine grant may use it. */
  readonly scheduled: boolean;
}

/**
 * The Member's own mailbox. Routines may use it too: the Member created their grant, which must list it and stops with this
 * connection. The sender id is derived from fields that stay the same when the mailbox is connected again.
 */
export function memberSender(mailbox: StoredMailbox, isAvailable: boolean): Sender {
  const { workspace_id, user_id, email, provider, account_id } = mailbox;
  const identity = JSON.stringify([workspace_id, user_id, email.toLowerCase()]);
  return {
    senderId: `${idPrefixes.sender}_${hash('sha256', identity, 'hex').slice(0, 32)}`,
    type: 'member_mailbox',
    mailbox: { provider, account_id, email, display_name: email },
    isAvailable,
    interactive: true,
    scheduled: true,
  };
}

/** A shared mailbox. */
export function sharedSender(mailbox: Omit<StoredSharedMailbox, 'members'>, isAvailable: boolean): Sender {
  const { _id: senderId, display_name, email, provider, account_id, interactive, scheduled } = mailbox;
  return {
    senderId,
    type: 'shared_mailbox',
    mailbox: { provider, account_id, email, display_name },
    isAvailable,
    interactive,
    scheduled,
  };
}

/** The names of senders for a refusal. A Member's own mailbox has only its address, which no error may hold. */
export function named(senders: readonly Sender[]): NamedData[] {
  return senders
    .filter(({ type }) => type === 'shared_mailbox')
    .map(({ senderId: id, mailbox: { display_name: name } }) => ({ id, name }));
}

/** A sender as discovery shows it. */
export function describeSender(sender: Sender): AuthorizedSender {
  return {
    sender_id: sender.senderId,
    type: sender.type,
    display_name: sender.mailbox.display_name,
    email: sender.mailbox.email,
    available: sender.isAvailable,
    recommended_use: recommendedUse(sender),
    interactive_eligible: sender.interactive,
    scheduled_eligible: sender.scheduled,
  };
}

function recommendedUse({ type, interactive, scheduled }: Sender): string {
  if (type === 'member_mailbox') return 'E-mails in your own name.';
  if (interactive && scheduled) return 'E-mails in the name of the team.';
  if (interactive)
    return 'E-mails in the name of the team that a person asks for; not for scheduled routines.';
  if (scheduled) return 'E-mails in the name of the team from scheduled routines only.';
  return 'None at present: closed for new e-mails.';
}
