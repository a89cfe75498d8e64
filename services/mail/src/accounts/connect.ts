import { randomUUID } from 'node:crypto';
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { plainMessage } from '@action-platform/contracts/schema';
import type { CallContext } from '@action-platform/service-host';
import {
  type Account,
  type MailProvider,
  type MailProviders,
  MailUnavailable,
  NO_MAIL_SERVER,
  type Settings,
  SignInRefused,
} from '../providers/provider.ts';
import type { Accounts, NewAccount } from './accounts.ts';
import { type AccountHolder, accountIdOf } from './stored-account.ts';

/** The part of a call's time that is kept for the answer that a mail system is silent, in milliseconds. */
const FOR_THE_ANSWER_MS = 500;

/** A mailbox as an operator or a Member describes it. */
export interface MailboxToConnect {
  readonly email: string;
  readonly provider: string;
  /** The options that were given. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret?: string | undefined;
  /** Set when a Member named its server. */
  readonly byMember?: true;
  /** Of a Member's own mailbox: the time of the last change of the membership, in milliseconds. */
  readonly changedAt?: number | undefined;
}

/** The capabilities with which mailboxes are connected. */
interface Parts {
  readonly accounts: Accounts;
  readonly providers: MailProviders;
}

/**
 * Whether a mailbox has this very account, its secret included, and the last sign-in to it worked.
 *
 * @param stored the mailbox as it is, if any.
 * @throws ActionError `invalid_request` that names the wrong option.
 */
export async function isConnected(
  holder: AccountHolder,
  mailbox: MailboxToConnect,
  stored: { readonly account_id: string; readonly email: string } | null,
  parts: Parts,
  timed: Timed,
): Promise<boolean> {
  const account = newAccount(mailbox, parts);
  if (stored?.email !== account.email || stored.account_id !== accountIdOf(holder, account)) return false;
  return await parts.accounts.isWorking(holder, account, timed);
}

/**
 * Stores the account of a mailbox once it was possible to sign in; returns its id.
 *
 * @throws ActionError `invalid_request` that names the wrong option or the reason for a refused sign-in, and `action_platform_unavailable`
 *   when this service or the provider has no capacity at present; nothing is stored then.
 */
export async function connectAccount(
  holder: AccountHolder,
  mailbox: MailboxToConnect,
  parts: Parts,
  context: CallContext,
): Promise<string> {
  const account = newAccount(mailbox, parts);
  const { accounts, providers } = parts;
  const accountId = accountIdOf(holder, account);
  const destination = accounts.destinationOf(account);
  const { email, settings } = account;
  const secretId = randomUUID();
  let { secret } = account;
  const replaceSecret = async (next: string) => {
    secret = next;
  };
  const signingIn = {
    email,
    settings,
    secret,
    secretId,
    replaceSecret,
    accountId,
    workspaceId: holder.workspace_id,
    destination,
  };
  await signIn(providers.get(account.provider)!, signingIn, context);
  return await accounts.put(holder, { ...account, secret, secret_id: secretId }, context);
}

/** The account of a mailbox, checked. */
function newAccount(mailbox: MailboxToConnect, { accounts, providers }: Parts): NewAccount {
  const provider = providers.get(mailbox.provider);
  if (provider === undefined)
    throw invalidRequest(`provider: must be one of ${[...providers.keys()].join(', ')}.`);
  return {
    provider: provider.name,
    email: mailbox.email,
    settings: checkedSettings(provider, mailbox.settings),
    secret: checkedSecret(provider, mailbox.secret, accounts),
    ...(mailbox.byMember && { by_member: true }),
    ...(mailbox.changedAt !== undefined && { changed_at: mailbox.changedAt }),
  };
}

function checkedSettings(provider: MailProvider, given: MailboxToConnect['settings']): Settings {
  const parsed = provider.settings.safeParse(given, { error: plainMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw invalidRequest(`${issue.keys.join(', ')}: the provider ${provider.name} has no such option.`);
  }
  const option = String(issue?.path[0]);
  throw invalidRequest(
    Object.hasOwn(given, option)
      ? `${option}: ${issue?.message}.`
      : `${option} is required for the provider ${provider.name}.`,
  );
}

function checkedSecret(
  { name, needsSecret }: MailProvider,
  secret: string | undefined,
  { newestKey }: Accounts,
): string | undefined {
  if (!needsSecret && secret !== undefined)
    throw invalidRequest(`secret: the provider ${name} has no such option.`);
  if (needsSecret && secret === undefined)
    throw invalidRequest(`secret is required for the provider ${name}.`);
  if (needsSecret && newestKey === undefined) {
    throw invalidRequest('secret: the mail service has no key to store it; set MAIL_SECRET_KEYS.');
  }
  return secret;
}

async function signIn(provider: MailProvider, account: Account, context: CallContext): Promise<void> {
  const timeMs = Math.max(0, Math.floor(context.deadline - performance.now() - FOR_THE_ANSWER_MS));
  const signal = AbortSignal.timeout(timeMs);
  try {
    await provider.signIn(account, signal);
  } catch (error) {
    if (error instanceof SignInRefused) throw invalidRequest(error.message);
    if (error instanceof MailUnavailable) {
      throw new ActionError('action_platform_unavailable', { retryAfter: error.retryAfterSeconds });
    }
    if (signal.aborted) {
      throw invalidRequest(
        account.destination === undefined ? 'The mail system did not answer in time.' : NO_MAIL_SERVER,
      );
    }
    throw error;
  }
}
