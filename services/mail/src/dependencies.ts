import type { Bus } from '@action-platform/bus';
import type { ownVariables } from '@action-platform/contracts/configuration';
import type { Limits } from '@action-platform/contracts/limits';
import { openIndexed } from '@action-platform/mongo';
import { DestinationCheck, readNetworks } from '@action-platform/outbound-http';
import { readSecretKeys } from '@action-platform/sealing';
import type { Logger } from '@action-platform/service-host';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import { Accounts } from './accounts/accounts.ts';
import { storedAccounts } from './accounts/stored-account.ts';
import { Attempts } from './attempts/attempts.ts';
import { storedAttempts } from './attempts/stored-attempt.ts';
import { Authorizations } from './authorizations/authorizations.ts';
import { microsoftSignIn } from './authorizations/microsoft-sign-in.ts';
import { storedAuthorizations } from './authorizations/stored-authorization.ts';
import type { MailProviders } from './providers/provider.ts';
import { Senders } from './senders/senders.ts';
import { SharedMailboxes } from './senders/shared-mailboxes.ts';
import { storedMailboxes, storedSharedMailboxes } from './senders/stored-mailbox.ts';
import { Submissions } from './submissions/submissions.ts';

/** The dependencies of the handlers. */
export interface Dependencies extends Awaited<ReturnType<typeof openCapabilities>> {
  readonly bus: Bus;
  /** Whether Members may keep drafts in the folder of the service: on the local stack alone. */
  readonly permitsLocal: boolean;
}

type Config = z.output<typeof ownVariables.mail> &
  Pick<Limits, 'WORKSPACE_EMAILS_PER_DAY_MAX' | 'WORKSPACE_SHARED_MAILBOXES_MAX'>;

/** Opens the collections, and the capabilities on them. @throws WrongConfiguration */
export async function openCapabilities(db: Db, config: Config, providers: MailProviders, log: Logger) {
  const keys = readSecretKeys('MAIL_SECRET_KEYS', config.MAIL_SECRET_KEYS);
  const networks = readNetworks('MAIL_ALLOWED_NETWORKS', config.MAIL_ALLOWED_NETWORKS);
  const accounts = new Accounts(await openIndexed(db, storedAccounts), keys, new DestinationCheck(networks));
  await accounts.requireKeysInUse();
  const mailboxes = await openIndexed(db, storedMailboxes);
  const sharedMailboxes = await openIndexed(db, storedSharedMailboxes);
  const authorizations = await openIndexed(db, storedAuthorizations);
  const senders = new Senders({ mailboxes, sharedMailboxes, accounts, providers, log });
  const attempts = new Attempts(await openIndexed(db, storedAttempts), config);
  return {
    providers,
    accounts,
    authorizations: new Authorizations(authorizations, keys, microsoftSignIn(config)),
    senders,
    shared: new SharedMailboxes(sharedMailboxes, config.WORKSPACE_SHARED_MAILBOXES_MAX),
    attempts,
    submissions: new Submissions({ attempts, senders, accounts, providers }),
  };
}
