import { followChanges } from '@action-platform/change-events';
import { ownVariables } from '@action-platform/contracts';
import { DestinationCheck, readNetworks } from '@action-platform/outbound-http';
import { readSecretKeys } from '@action-platform/sealed-secrets';
import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import type { z } from 'zod';
import { Accounts } from './accounts/accounts.ts';
import { Recheck } from './accounts/recheck.ts';
import { openAccounts } from './accounts/stored-account.ts';
import { serveSenderCommands } from './admin/sender-commands.ts';
import { attemptChanges } from './attempts/attempt-changes.ts';
import { Attempts } from './attempts/attempts.ts';
import { openAttempts } from './attempts/stored-attempt.ts';
import { Authorizations } from './authorizations/authorizations.ts';
import { microsoftSignIn } from './authorizations/microsoft-sign-in.ts';
import { openAuthorizations } from './authorizations/stored-authorization.ts';
import { serveMemberMailboxes } from './calls/member-mailboxes.ts';
import type { Dependencies } from './dependencies.ts';
import { serveListAuthorizedSenders } from './operations/list-authorized-senders.ts';
import { serveListSendHistory } from './operations/list-send-history.ts';
import { serveSendEmail } from './operations/send-email.ts';
import { openGraphProvider } from './providers/graph/graph-provider.ts';
import { imapProvider } from './providers/imap/imap-provider.ts';
import { openLocalProvider } from './providers/local/local-provider.ts';
import { observed } from './providers/observed.ts';
import type { MailProvider } from './providers/provider.ts';
import { serveSenderRoutes } from './routes/senders.ts';
import { eraseFromShared } from './senders/erase-member.ts';
import { Senders } from './senders/senders.ts';
import { SharedMailboxes } from './senders/shared-mailboxes.ts';
import { openMailboxes, openSharedMailboxes, senderChanges } from './senders/stored-mailbox.ts';
import { storedDocuments } from './stored-documents.ts';
import { Submissions } from './submissions/submissions.ts';

/** The environment variables of the mail service. */
export const mailConfig = commonConfig.extend(ownVariables.mail.shape);

type Config = z.output<typeof mailConfig>;

/** The mail service with these providers of mailboxes. */
export function mailWith(
  openProviders: (config: Config) => Promise<readonly MailProvider[]>,
): ServiceDefinition<typeof mailConfig> {
  return {
    name: 'mail',
    config: mailConfig,
    start: async ({ config, log, bus, openDatabase }) => {
      const { db } = await openDatabase();
      const opened = await openProviders(config);
      const providers = new Map(opened.map((provider) => [provider.name, observed(provider)]));
      const keys = readSecretKeys('MAIL_SECRET_KEYS', config.MAIL_SECRET_KEYS);
      const networks = readNetworks('MAIL_ALLOWED_NETWORKS', config.MAIL_ALLOWED_NETWORKS);
      const accounts = new Accounts(await openAccounts(db), keys, new DestinationCheck(networks));
      await accounts.requireKeysInUse();
      const sharedMailboxes = await openSharedMailboxes(db);
      const shared = new SharedMailboxes(sharedMailboxes, config.WORKSPACE_SHARED_MAILBOXES_MAX);
      const signIn = microsoftSignIn(config);
      const authorizations = new Authorizations(await openAuthorizations(db), { keys, signIn });
      const senders = new Senders(await openMailboxes(db), sharedMailboxes, {
        accounts,
        providers,
        recheck: new Recheck(accounts, providers),
      });
      const attempts = new Attempts(await openAttempts(db), config);
      const submissions = new Submissions({ attempts, senders, accounts, providers });
      const dependencies: Dependencies = {
        bus,
        providers,
        accounts,
        authorizations,
        senders,
        shared,
        attempts,
        submissions,
        permitsLocal: config.MAIL_LOCAL_FOR_MEMBERS,
      };
      const changes = await followChanges({
        service: 'mail',
        db,
        bus,
        log,
        followed: [attemptChanges, senderChanges],
        workspaces: { collection: 'attempts', field: 'workspace_id' },
      });
      return {
        calls: [
          serveListAuthorizedSenders(dependencies),
          serveListSendHistory(dependencies),
          serveSendEmail(dependencies),
          ...serveMemberMailboxes(dependencies),
          ...serveSenderCommands(dependencies),
          ...serveSenderRoutes(dependencies),
        ],
        stored: {
          db,
          documents: storedDocuments,
          eraseMember: (workspaceId, userId, timed) =>
            eraseFromShared({ shared, accounts }, workspaceId, userId, timed),
        },
        changes,
      };
    },
  };
}

/** Mail: senders, drafts and the history of attempts. It never sends. */
export const mail = mailWith(async ({ MAIL_LOCAL_DIR, MAIL_LOCAL_DRAFT_URL_BASE }) => [
  await openLocalProvider(MAIL_LOCAL_DIR, { draftUrlBase: MAIL_LOCAL_DRAFT_URL_BASE }),
  imapProvider,
  openGraphProvider(),
]);
