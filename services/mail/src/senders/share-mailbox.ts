import { isDeepStrictEqual } from 'node:util';
import { ActionError } from '@action-platform/contracts/errors';
import type { CallContext } from '@action-platform/service-host';
import type { Accounts } from '../accounts/accounts.ts';
import { connectAccount, isConnected, type MailboxToConnect } from '../accounts/connect.ts';
import type { MailProviders } from '../providers/provider.ts';
import { type SharedMailboxes, type SharedUses, usesOf } from './shared-mailboxes.ts';
import type { StoredSharedMailbox } from './stored-mailbox.ts';

interface Mailboxes {
  readonly shared: SharedMailboxes;
  readonly accounts: Accounts;
  readonly providers: MailProviders;
}

/**
 * Shares a mailbox once it was possible to sign in; a mailbox with this address is replaced, and an equal, working mailbox stays as it is.
 *
 * @throws ActionError `invalid_request`, as `connectAccount` does, and at the limit of the Workspace; nothing is stored then.
 */
export async function shareMailbox(
  { shared, ...dependencies }: Mailboxes,
  workspace_id: string,
  mailbox: MailboxToConnect,
  uses: SharedUses,
  context: CallContext,
): Promise<StoredSharedMailbox> {
  const { email, provider } = mailbox;
  const holder = { workspace_id, shared: email.toLowerCase() };
  const before = await shared.find(workspace_id, email, context);
  const hasUses = before !== null && isDeepStrictEqual(uses, usesOf(before));
  if (hasUses && (await isConnected(holder, mailbox, before, dependencies, context))) return before;
  const account_id = await connectAccount(holder, mailbox, dependencies, context);
  const { accounts } = dependencies;
  try {
    const put = await shared.put({ workspace_id, email, provider, account_id, ...uses }, context);
    // A concurrent call may have stored another one since.
    const stored = await shared.find(workspace_id, email, context);
    await accounts.keepOnly(holder, stored?.account_id, context);
    return put;
  } catch (error) {
    if (error instanceof ActionError) {
      const versions = await accounts.versions(holder, context);
      if ((await shared.find(workspace_id, email, context)) === null)
        await accounts.remove(versions, context);
    }
    throw error;
  }
}
