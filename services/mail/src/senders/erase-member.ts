import type { Timed } from '@action-platform/contracts/calls';
import type { Accounts } from '../accounts/accounts.ts';
import type { SharedMailboxes } from './shared-mailboxes.ts';

/**
 * Removes a user from the shared mailboxes of a Workspace. A mailbox that nobody may use then goes with its account, also when an earlier
 * erasure ended between the two.
 *
 * @returns how many mailboxes it changed or removed.
 */
export async function eraseFromShared(
  { shared, accounts }: { shared: SharedMailboxes; accounts: Accounts },
  workspace_id: string,
  userId: string,
  timed: Timed,
): Promise<number> {
  const { changed, unused } = await shared.removeMember(workspace_id, userId, timed);
  for (const { _id, address } of unused) {
    await accounts.remove({ workspace_id, shared: address }, timed);
    await shared.remove(workspace_id, _id, timed);
  }
  return changed + unused.length;
}
