import { ImapFlow } from 'imapflow';
import { BoundedTransport } from './bounded-transport.ts';
import { ImapFailure, meaningBeforeWork, meaningOf } from './refusals.ts';
import type { ServedMailbox } from './task.ts';

/** The most bytes of a line of a server. */
const LINE_BYTES = 64 * 1024;
/** The most bytes of a message, or another literal, of a server: twice those of the longest draft. */
export const LITERAL_BYTES = 1024 * 1024;

/** A client whose calls fail at once when the server throttles them, with its pause. `ImapFlow` would first wait for minutes. */
class ImapClient extends ImapFlow {
  async throttleWait(): Promise<false> {
    return false;
  }
}

/** A connection that is signed in. */
export interface ImapSession {
  readonly client: ImapFlow;
  readonly transport: BoundedTransport;
}

/**
 * Signs in over a connection of its own, works, and closes the connection. So each work selects its mailboxes anew: a
 * connection that has a mailbox selected may not see what another one has appended.
 *
 * @param begin is called once the connection is signed in; the session ends unless `begin` returns true.
 * @throws SignInRefused, MailUnavailable, or another error without text of the server. Before the work, ImapFailure is the cause of
 *   MailUnavailable: nothing was done.
 */
export async function inSession<Result>(
  mailbox: ServedMailbox,
  begin: () => boolean,
  work: (session: ImapSession) => Promise<Result>,
): Promise<Result> {
  const transport = new BoundedTransport(mailbox.addresses);
  const client = newClient(mailbox, transport);
  // The call under way rejects with the same error.
  client.on('error', () => {});
  let meaning = meaningBeforeWork;
  try {
    await client.connect();
    if (!begin()) throw new ImapFailure('given up');
    meaning = meaningOf;
    return await work({ client, transport });
  } catch (error) {
    throw meaning(error, mailbox.settings);
  } finally {
    client.close();
    transport.close();
  }
}

function newClient({ email, settings, secret }: ServedMailbox, transport: BoundedTransport): ImapFlow {
  const { host, port, starttls, login, ca } = settings;
  return new ImapClient({
    host,
    port,
    transport,
    maxLineLength: LINE_BYTES,
    maxLiteralSize: LITERAL_BYTES,
    maxResponseSize: LITERAL_BYTES + LINE_BYTES,
    secure: !starttls,
    ...(starttls && { doSTARTTLS: true }),
    ...(ca !== undefined && { tls: { ca } }),
    auth: { user: login ?? email, pass: secret },
    clientInfo: { name: 'action-platform' },
    disableAutoEnable: true,
    disableAutoIdle: true,
    disableCompression: true,
    // The lines of ImapFlow's log hold addresses.
    logger: false,
  });
}
