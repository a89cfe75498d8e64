import { ImapFlow } from 'imapflow';
import type { ImapAccount } from './imap-account.ts';
import { meaningOf } from './refusals.ts';

/**
 * Signs in over a connection of its own, works, and closes the connection. So each work selects its mailboxes anew: a
 * connection that has a mailbox selected may not see what another one has appended. Once the signal has aborted, the
 * connection is closed at once, which keeps the server from receiving the rest of a command.
 *
 * @throws SignInRefused, MailUnavailable, the reason of the signal, or another error without text of the server.
 */
export async function inSession<Result>(
  account: ImapAccount,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = newClient(account);
  // The call under way rejects with the same error.
  client.on('error', () => {});
  const giveUp = () => client.close();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    signal.throwIfAborted();
    throw meaningOf(error, account);
  } finally {
    signal.removeEventListener('abort', giveUp);
    client.close();
  }
}

function newClient({ email, settings, secret }: ImapAccount): ImapFlow {
  const { host, port, starttls, login, ca } = settings;
  return new ImapFlow({
    host,
    port,
    secure: !starttls,
    ...(starttls && { doSTARTTLS: true }),
    ...(ca !== undefined && { tls: { ca } }),
    auth: { user: login ?? email, pass: secret ?? '' },
    clientInfo: { name: 'action-platform' },
    disableAutoEnable: true,
    disableAutoIdle: true,
    disableCompression: true,
    // Its lines would hold addresses.
    logger: false,
  });
}
