import { z } from 'zod';
import { emailAddress } from '../../schema/email-address.ts';
import { mailFolder, mailHost, mailLogin, mailSecret } from '../../schema/mailbox-fields.ts';

/** The standard ports of IMAP (RFC 9051, section 11.1; RFC 8314, section 3.2). */
const port = z.literal([143, 993]);

/** A mailbox as a Member may describe it: fewer fields than an operator has. */
export const newMailbox = {
  email: emailAddress.meta({
    description: 'The address of the mailbox.',
    examples: ['ada@example.com'],
  }),
  provider: z.enum(['imap', 'local']).meta({
    description: 'The kind of mailbox; `local`, a folder, in the local stack alone.',
    examples: ['imap'],
  }),
  host: mailHost
    .regex(/^[A-Za-z0-9._:-]+$/, 'must be a host name in ASCII, or an address')
    .optional()
    .meta({
      description: 'imap: the host name or the address of the server, which must be a public one.',
      examples: ['imap.example.com'],
    }),
  port: port.optional().meta({ description: 'imap: 993 by default, 143 with starttls.', examples: [993] }),
  starttls: z
    .boolean()
    .optional()
    .meta({
      description: 'imap: the connection begins in plain text and requires STARTTLS. TLS by default.',
      examples: [false],
    }),
  login: mailLogin.optional().meta({
    description: 'imap: the user name. The address by default.',
    examples: ['ada'],
  }),
  draftsFolder: mailFolder.optional().meta({
    description: 'imap: the folder of drafts. By default the one that the server marks with \\Drafts.',
    examples: ['Entwürfe'],
  }),
  secret: mailSecret.optional().meta({
    description: 'The password. The platform encrypts it, and shows it to nobody.',
    examples: ['an app password'],
  }),
};
export type NewMailbox = z.output<z.ZodObject<typeof newMailbox>>;
