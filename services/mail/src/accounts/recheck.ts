import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { reportDefect } from '@action-platform/contracts/errors';
import type { Logger } from '@action-platform/service-host';
import type { MailProviders } from '../providers/provider.ts';
import type { AccountReference, Accounts, KnownAccount } from './accounts.ts';

/** The least time between two sign-ins to a refused account, in milliseconds: some servers lock one after many refusals. */
export const REFUSED_PAUSE_MS = 60_000;
/** How long a sign-in may take, in milliseconds. */
const SIGN_IN_MS = 10_000;

interface Parts {
  readonly accounts: Accounts;
  readonly providers: MailProviders;
  readonly log: Logger;
}

/** Whether a call may sign in to an account: to a refused one, when no other call or replica did within the pause. */
export async function maySignIn(account: KnownAccount, accounts: Accounts, timed: Timed): Promise<boolean> {
  return !account.isRefused || (await accounts.claimRecheck(account, REFUSED_PAUSE_MS, timed));
}

/**
 * Begins a sign-in to a refused account, unless this or another replica began one within the last minute. Nobody waits for this sign-in,
 * which is for accounts whose mailboxes somebody asks for.
 */
export function beginRecheck(account: AccountReference, parts: Parts): void {
  // A refused sign-in leaves the account refused, and so does a database that does not answer.
  const ids = { workspace_id: account.workspaceId, account_id: account.accountId };
  signInAgain(account, parts).catch(reportDefect(parts.log, 'a sign-in to a refused account failed', ids));
}

async function signInAgain(reference: AccountReference, { accounts, providers }: Parts): Promise<void> {
  if (!(await accounts.claimRecheck(reference, REFUSED_PAUSE_MS, inBackground))) return;
  const account = await accounts.find(reference, inBackground);
  const provider = account && providers.get(account.provider);
  if (provider === undefined) return;
  await provider.signIn(account!, AbortSignal.timeout(SIGN_IN_MS));
  await accounts.markWorking(account!, inBackground);
}
