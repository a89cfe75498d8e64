import type { CallContext } from '@action-platform/service-host';
import type { Changed, MemberChanges } from '../members/member-changes.ts';
import type { MemberKey } from '../members/stored-member.ts';
import type { MailboxChanges } from './mailbox-changes.ts';

/** Removes a Member, and has mail delete the secrets of their mailboxes. */
export async function endMembership(
  {
    memberChanges,
    mailboxChanges,
  }: { readonly memberChanges: MemberChanges; readonly mailboxChanges: MailboxChanges },
  key: MemberKey,
  forced: { readonly force: boolean },
  context: CallContext,
): Promise<Changed> {
  const changed = await memberChanges.remove(key, forced, context);
  await mailboxChanges.follow(key, context);
  return changed;
}
