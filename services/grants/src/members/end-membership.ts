import type { CallContext } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import type { Changed } from './member-changes.ts';
import type { MemberKey } from './stored-member.ts';

/** Removes a Member, and has mail delete the secrets of their mailboxes. */
export async function endMembership(
  { memberChanges, otherServices }: Pick<Dependencies, 'memberChanges' | 'otherServices'>,
  key: MemberKey,
  forced: { readonly force: boolean },
  context: CallContext,
): Promise<Changed> {
  const changed = await memberChanges.remove(key, forced, context);
  await otherServices.keepMailbox(key, undefined, context);
  return changed;
}
