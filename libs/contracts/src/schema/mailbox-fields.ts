import { z } from 'zod';
import { emailAddress } from './email-address.ts';
import { field } from './fields.ts';
import { CONTROL_CHARACTERS as controls, text } from './text.ts';

const SEPARATORS = String.raw`\u2028\u2029`;

/** The display name of an address. */
export const displayName = text({ min: 1, max: 100 }).regex(
  new RegExp(`^[^\\s${controls}]([^${controls}${SEPARATORS}]*[^\\s${controls}])?$`),
  'must be printable, without white space around it',
);

/** The host name or the address of a mail server. */
export const mailHost = text({ min: 1, max: 253 });
export const mailSecret = text({ min: 1, max: 16_384 });

/** The settings of a mailbox at an IMAP server that Members and operators describe alike. */
export const imapFields = {
  starttls: field(
    z.boolean(),
    'imap: the connection begins in plain text and requires STARTTLS. TLS by default.',
    false,
  ),
  login: field(text({ min: 1, max: 320 }), 'imap: the user name. The address by default.', 'ada'),
  draftsFolder: field(
    text({ min: 1, max: 1000 }),
    'imap: the folder of drafts. By default the one that the server marks with \\Drafts.',
    'Entwürfe',
  ),
};

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
  // The standard ports of IMAP (RFC 9051, section 11.1; RFC 8314, section 3.2).
  port: field(z.literal([143, 993]).optional(), 'imap: 993 by default, 143 with starttls.', 993),
  starttls: imapFields.starttls.optional(),
  login: imapFields.login.optional(),
  draftsFolder: imapFields.draftsFolder.optional(),
  secret: field(
    mailSecret.optional(),
    'The password. The platform encrypts it, and shows it to nobody.',
    'an app password',
  ),
};
export type NewMailbox = z.output<z.ZodObject<typeof newMailbox>>;
