import { invalidRequest } from '@action-platform/contracts/errors';
import type { NewMailbox } from '@action-platform/contracts/schema';
import type { MailboxToConnect } from './connect.ts';

/**
 * A mailbox as a Member described it. The contract has taken what only an operator may name: other ports, certificates, other clouds.
 *
 * @param permitsLocal whether the folder of the service is a mailbox for Members: on the local stack alone.
 * @throws ActionError `invalid_request`
 */
export function memberMailbox(
  { email, provider, secret, host, port, starttls, login, draftsFolder }: NewMailbox,
  permitsLocal: boolean,
): MailboxToConnect {
  if (provider === 'local' && !permitsLocal) throw invalidRequest('provider: must be "imap".');
  const given = Object.entries({ host, port, starttls, login, drafts_folder: draftsFolder });
  const settings = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return { email, provider, settings, secret, byMember: true };
}
