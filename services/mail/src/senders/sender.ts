import { hash } from 'node:crypto';
import { type AuthorizedSender, idPrefixes } from '@action-platform/contracts';
import type { StoredMailbox, StoredSharedMailbox } from './stored-mailbox.ts';

/** Whether a sender is a Member's own mailbox or a shared one. */
export type SenderType = NonNullable<AuthorizedSender['type']>;

/** A mailbox that a Member may draft e-mails in. */
export interface Sender {
  readonly senderId: string;
  readonly type: SenderType;
  readonly displayName: string;
  readonly email: string;
  /** The provider that keeps its drafts. */
  readonly provider: string;
  /** The account of its mailbox. */
  readonly accountId: string;
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
  const { workspace_id, user_id, email, provider, account_id: accountId } = mailbox;
  const identity = JSON.stringify([workspace_id, user_id, email.toLowerCase()]);
  return {
    senderId: `${idPrefixes.sender}_${hash('sha256', identity, 'hex').slice(0, 32)}`,
    type: 'member_mailbox',
    displayName: email,
    email,
    provider,
    accountId,
    isAvailable,
    interactive: true,
    scheduled: true,
  };
}

/** A shared mailbox. */
export function sharedSender(mailbox: Omit<StoredSharedMailbox, 'members'>, isAvailable: boolean): Sender {
  const { _id, display_name, email, provider, account_id: accountId, interactive, scheduled } = mailbox;
  return {
    senderId: _id,
    type: 'shared_mailbox',
    displayName: display_name,
    email,
    provider,
    accountId,
    isAvailable,
    interactive,
    scheduled,
  };
}

/** A sender as discovery shows it. */
export function describeSender(sender: Sender): AuthorizedSender {
  return {
    sender_id: sender.senderId,
    type: sender.type,
    display_name: sender.displayName,
    email: sender.email,
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
