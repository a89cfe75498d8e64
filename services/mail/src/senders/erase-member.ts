import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { Accounts } from '../accounts/accounts.ts';
import type { StoredSharedMailbox } from './stored-mailbox.ts';

/**
 * Removes a user from the shared mailboxes of a Workspace. A mailbox that nobody may use then goes with its account, also when an earlier
 * erasure ended between the two.
 *
 * @returns how many mailboxes it changed or removed.
 */
export async function eraseFromShared(
  { mailboxes, accounts }: { mailboxes: Collection<StoredSharedMailbox>; accounts: Accounts },
  workspace_id: string,
  userId: string,
  timed: Timed,
): Promise<number> {
  const { modifiedCount } = await mailboxes.updateMany(
    { workspace_id, members: userId },
    { $pull: { members: userId } },
    within(timed),
  );
  const unused = { workspace_id, everyone: false, members: [] };
  const found = await mailboxes.find(unused, within(timed)).toArray();
  for (const { _id, address } of found) {
    await accounts.remove({ workspace_id, shared: address }, timed);
    await mailboxes.deleteOne({ _id, ...unused }, within(timed));
  }
  return modifiedCount + found.length;
}
