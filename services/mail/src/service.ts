import { followChanges } from '@action-platform/change-events';
import { ownVariables } from '@action-platform/contracts/configuration';
import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import type { z } from 'zod';
import { attemptChanges } from './attempts/attempt-changes.ts';
import { serveMemberMailboxes } from './calls/member-mailboxes.ts';
import { openCapabilities } from './dependencies.ts';
import { serveListAuthorizedSenders } from './operations/list-authorized-senders.ts';
import { serveListSendHistory } from './operations/list-send-history.ts';
import { serveSendEmail } from './operations/send-email.ts';
import { openGraphProvider } from './providers/graph/graph-provider.ts';
import { imapProvider } from './providers/imap/imap-provider.ts';
import { openLocalProvider } from './providers/local/local-provider.ts';
import { observed } from './providers/observed.ts';
import type { MailProvider } from './providers/provider.ts';
import { serveSenderCommands, serveSenderRoutes } from './routes/senders.ts';
import { eraseFromShared } from './senders/erase-member.ts';
import { named } from './senders/sender.ts';
import { viewerOf } from './senders/senders.ts';
import { senderChanges } from './senders/stored-mailbox.ts';
import { storedDocuments } from './stored-documents.ts';

/** The environment variables of the mail service. */
const mailConfig = commonConfig.extend(ownVariables.mail.shape);

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
      const capabilities = await openCapabilities(db, config, providers, log);
      const dependencies = { ...capabilities, bus, permitsLocal: config.MAIL_LOCAL_FOR_MEMBERS };
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
        senders: async (ids, context) =>
          named(await capabilities.senders.visibleTo(viewerOf(context.principal), context, ids)),
        stored: {
          db,
          documents: storedDocuments,
          eraseMember: (workspaceId, userId, timed) =>
            eraseFromShared(capabilities, workspaceId, userId, timed),
        },
        changes,
      };
    },
  };
}

/** Mail: senders, drafts and the history of attempts. The service never sends. */
export const mail = mailWith(async ({ MAIL_LOCAL_DIR, MAIL_LOCAL_DRAFT_URL_BASE }) => [
  await openLocalProvider(MAIL_LOCAL_DIR, { draftUrlBase: MAIL_LOCAL_DRAFT_URL_BASE }),
  imapProvider,
  openGraphProvider(),
]);
