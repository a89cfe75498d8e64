import { z } from 'zod';
import { emailAddress } from '../../schema/email-address.ts';
import { field } from '../../schema/fields.ts';
import { mailFolder, mailHost, mailLogin, mailSecret } from '../../schema/mailbox-fields.ts';

/** The standard ports of IMAP (RFC 9051, section 11.1; RFC 8314, section 3.2). */
const port = z.literal([143, 993]);

/** A mailbox as a Member may describe it: fewer fields than an operator has. */
export const newMailbox = {
  email: field(emailAddress, 'The address of the mailbox.', 'ada@example.com'),
  provider: field(
    z.enum(['imap', 'local']),
    'The kind of mailbox; `local`, a folder, in the local stack alone.',
    'imap',
  ),
  host: field(
    mailHost.regex(/^[A-Za-z0-9._:-]+$/, 'must be a host name in ASCII, or an address').optional(),
    'imap: the host name or the address of the server, which must be a public one.',
    'imap.example.com',
  ),
  port: field(port.optional(), 'imap: 993 by default, 143 with starttls.', 993),
  starttls: field(
    z.boolean().optional(),
    'imap: the connection begins in plain text and requires STARTTLS. TLS by default.',
    false,
  ),
  login: field(mailLogin.optional(), 'imap: the user name. The address by default.', 'ada'),
  draftsFolder: field(
    mailFolder.optional(),
    'imap: the folder of drafts. By default the one that the server marks with \\Drafts.',
    'Entwürfe',
  ),
  secret: field(
    mailSecret.optional(),
    'The password. The platform encrypts it, and shows it to nobody.',
    'an app password',
  ),
};
export type NewMailbox = z.output<z.ZodObject<typeof newMailbox>>;
