import type { CallContext } from '@action-platform/service-host';
import type { Changed, MemberChanges } from '../members/member-changes.ts';
import type { MemberKey } from '../members/stored-member.ts';
import type { OtherServices } from './other-services.ts';

/** Removes a Member, and has mail delete the secrets of their mailboxes. */
export async function endMembership(
  {
    memberChanges,
    otherServices,
  }: { readonly memberChanges: MemberChanges; readonly otherServices: OtherServices },
  key: MemberKey,
  forced: { readonly force: boolean },
  context: CallContext,
): Promise<Changed> {
  const changed = await memberChanges.remove(key, forced, context);
  await otherServices.keepMailbox(key, undefined, context);
  return changed;
}
