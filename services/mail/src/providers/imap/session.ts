import type { mailProviders } from '@action-platform/contracts';
import { ImapFlow } from 'imapflow';
import type { z } from 'zod';
import type { Account } from '../provider.ts';
import { BoundedTransport } from './bounded-transport.ts';
import { meaningOf } from './refusals.ts';

/** The most bytes of a line of a server. */
const LINE_BYTES = 64 * 1024;
/** The most bytes of a message, or another literal, of a server: twice those of the longest draft. */
export const LITERAL_BYTES = 1024 * 1024;

/** The settings of an IMAP mailbox. */
export type ImapSettings = z.output<typeof mailProviders.imap.settings>;

/** The account of an IMAP mailbox. */
export type ImapAccount = Account<ImapSettings>;

/** A connection that is signed in. */
export interface ImapSession {
  readonly client: ImapFlow;
  readonly transport: BoundedTransport;
}

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
  work: (session: ImapSession) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { destination, settings } = account;
  const transport = new BoundedTransport(destination?.lookup);
  const client = newClient(account, transport);
  // The call under way rejects with the same error.
  client.on('error', () => {});
  const giveUp = () => client.close();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    destination?.requireReachable(settings.host);
    await client.connect();
    return await work({ client, transport });
  } catch (error) {
    signal.throwIfAborted();
    throw meaningOf(error, `${settings.host}:${settings.port}`);
  } finally {
    signal.removeEventListener('abort', giveUp);
    client.close();
    transport.close();
  }
}

function newClient({ email, settings, secret }: ImapAccount, transport: BoundedTransport): ImapFlow {
  const { host, port, starttls, login, ca } = settings;
  return new ImapFlow({
    host,
    port,
    transport,
    maxLineLength: LINE_BYTES,
    maxLiteralSize: LITERAL_BYTES,
    maxResponseSize: LITERAL_BYTES + LINE_BYTES,
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
