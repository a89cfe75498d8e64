import type { ServiceDefinition } from '@action-platform/service-host';
import type { z } from 'zod';
import { serveAddMailbox } from './admin/add-mailbox.ts';
import { serveAddSender } from './admin/add-sender.ts';
import { Attempts } from './attempts/attempts.ts';
import { serveFindSenders } from './calls/find-senders.ts';
import { mailConfig } from './config.ts';
import { openDocuments } from './database/documents.ts';
import type { MailParts } from './mail-parts.ts';
import { serveListAuthorizedSenders } from './operations/list-authorized-senders.ts';
import { serveListSendHistory } from './operations/list-send-history.ts';
import { serveSendEmail } from './operations/send-email.ts';
import { openLocalProvider } from './providers/local/local-provider.ts';
import type { MailProvider } from './providers/provider.ts';
import { Senders } from './senders/senders.ts';

/** The service with these providers of mailboxes. */
export function mailWith(
  openProviders: (config: z.output<typeof mailConfig>) => Promise<readonly MailProvider[]>,
): ServiceDefinition<typeof mailConfig> {
  return {
    name: 'mail',
    config: mailConfig,
    start: async ({ config, openDatabase }) => {
      const providers = await openProviders(config);
      const documents = await openDocuments(await openDatabase());
      const parts: MailParts = {
        documents,
        providers: new Map(providers.map((provider) => [provider.name, provider])),
        senders: new Senders(documents),
        attempts: new Attempts(documents),
      };
      return {
        operations: [serveListAuthorizedSenders(parts), serveListSendHistory(parts), serveSendEmail(parts)],
        calls: [serveFindSenders(parts), serveAddMailbox(parts), serveAddSender(parts)],
      };
    },
  };
}

/** Mail: who may draft in which mailbox, the drafts, and the history of the attempts. It never sends. */
export const mail = mailWith(async (config) => [await openLocalProvider(config.MAIL_LOCAL_DIR)]);
