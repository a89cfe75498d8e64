import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { Accounts } from '../accounts/accounts.ts';
import type { StoredSharedMailbox } from './stored-mailbox.ts';

/**
 * Removes a user from the shared mailboxes of a Workspace. A mailbox that they alone may use goes with its account: without Members it
 * would be everyone's.
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
    { workspace_id, members: userId, 'members.1': { $exists: true } },
    { $pull: { members: userId } },
    within(timed),
  );
  const alone = await mailboxes.find({ workspace_id, members: [userId] }, within(timed)).toArray();
  for (const { _id, address } of alone) {
    await accounts.remove({ workspace_id, shared: address }, timed);
    await mailboxes.deleteOne({ _id, workspace_id, members: [userId] }, within(timed));
  }
  return modifiedCount + alone.length;
}
