import type { Timed } from '@action-platform/contracts/calls';
import type { Accounts } from '../accounts/accounts.ts';
import { removeShared } from './remove-shared.ts';
import { type SharedMailboxes, unusable } from './shared-mailboxes.ts';

/**
 * Removes a user from the shared mailboxes of a Workspace. A mailbox that nobody may use then goes with its account, also when an earlier
 * erasure ended between the two; a mailbox that an Owner has given to somebody meanwhile stays.
 *
 * @returns how many mailboxes it changed or removed.
 */
export async function eraseFromShared(
  mailboxes: { shared: SharedMailboxes; accounts: Accounts },
  workspace_id: string,
  userId: string,
  timed: Timed,
): Promise<number> {
  const { changed, unused } = await mailboxes.shared.removeMember(workspace_id, userId, timed);
  let removed = 0;
  for (const { _id } of unused) {
    const found = await removeShared(mailboxes, workspace_id, _id, timed, unusable);
    removed += Number(found?.slot !== undefined);
  }
  return changed + removed;
}
