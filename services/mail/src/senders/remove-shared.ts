import { isDeepStrictEqual } from 'node:util';
import type { Origin, Timed } from '@action-platform/contracts/calls';
import type { Filter } from 'mongodb';
import type { Accounts } from '../accounts/accounts.ts';
import type { SharedMailboxes } from './shared-mailboxes.ts';
import type { StoredSharedMailbox } from './stored-mailbox.ts';

/**
 * Removes a shared mailbox and then its accounts, also when an earlier removal ended between the two. The accounts are read before the
 * removal: those of another mailbox that is shared under the address since are stored later, and stay. A mailbox that changed since it was
 * read is read again, because it may have another account.
 *
 * @param condition what else the mailbox has to match.
 * @returns the mailbox as it was; null when it is unknown, or does not match.
 */
export async function removeShared(
  { shared, accounts }: { shared: SharedMailboxes; accounts: Accounts },
  workspace_id: string,
  id: string,
  call: Timed & { readonly origin?: Origin },
  condition: Filter<StoredSharedMailbox> = {},
): Promise<StoredSharedMailbox | null> {
  let known = await shared.get(workspace_id, id, call);
  while (known !== null) {
    const { email, commits } = known;
    const versions = await accounts.versions({ workspace_id, shared: email.toLowerCase() }, call);
    const removed =
      (await shared.remove(workspace_id, id, call, { ...condition, commits } as typeof condition)) ??
      (await shared.findRemoved(workspace_id, id, call));
    if (removed !== null) {
      if ((await shared.find(workspace_id, email, call)) === null) await accounts.remove(versions, call);
      return removed;
    }
    const present = await shared.get(workspace_id, id, call);
    if (isDeepStrictEqual(present?.commits, commits)) return null;
    known = present;
  }
  return null;
}
