import { z } from 'zod';
import { field } from '../../schema/fields.ts';
import { imapFields, mailHost, mailSecret } from '../../schema/mailbox-fields.ts';
import { text } from '../../schema/text.ts';

const httpsUrl = z.url({ protocol: /^https$/ });

const imapOptions = {
  host: field(mailHost, 'imap: the host name or address of the server.'),
  port: field(z.int().min(1).max(65_535), 'imap: its port. 993 by default, 143 with --starttls.'),
  starttls: imapFields.starttls,
  login: imapFields.login,
  drafts_folder: imapFields.draftsFolder,
  ca: text({ min: 1, max: 65_536 }).meta({
    description:
      "imap: a file with the authority of the server's certificate (PEM). By default the known ones.",
    isFile: true,
  }),
};

const graphOptions = {
  tenant: field(text({ min: 1, max: 253 }), 'graph: the id or the domain of the tenant.'),
  client_id: field(text({ min: 1, max: 100 }), 'graph: the id of the registered application.'),
  login_url: field(httpsUrl, 'graph: the address for tokens. The one of the global cloud by default.'),
  graph_url: field(
    httpsUrl,
    'graph: the address of Microsoft Graph. The one of the global cloud by default.',
  ),
};

const imapSettings = z
  .strictObject(imapOptions)
  .partial({ port: true, login: true, drafts_folder: true, ca: true })
  .extend({ starttls: imapOptions.starttls.default(false) })
  .transform(({ port, ...rest }) => ({ ...rest, port: port ?? (rest.starttls ? 143 : 993) }));

/** The beginning of a secret that is a person's refresh token, from `mail sign-in`; any other is the application's. */
export const DELEGATED_PREFIX = 'delegated:';

const graphSettings = z.strictObject({
  ...graphOptions,
  login_url: graphOptions.login_url.default('https://login.microsoftonline.com'),
  graph_url: graphOptions.graph_url.default('https://graph.microsoft.com'),
});

/** The kinds of mail systems that a mailbox can be in: the settings of a mailbox there, and whether signing in needs a secret. */
export const mailProviders = {
  local: { settings: z.strictObject({}), needsSecret: false },
  imap: { settings: imapSettings, needsSecret: true },
  graph: { settings: graphSettings, needsSecret: true },
} as const satisfies Readonly<Record<string, MailboxKind>>;

interface MailboxKind {
  readonly settings: z.ZodType<object>;
  readonly needsSecret: boolean;
}

const settingsOptions = z.object({ ...imapOptions, ...graphOptions }).partial();

/** The options of a command that connects a mailbox. Options of one provider are refused with another. */
export const mailboxOptions = {
  provider: field(
    text({ min: 1, max: 50 }).default('local'),
    `The mail provider that keeps the drafts of the mailbox: ${Object.keys(mailProviders).join(', ')}.`,
  ),
  ...settingsOptions.shape,
  secret: mailSecret.optional().meta({
    description: 'A file with the password or client secret; by default standard input.',
    isFile: true,
  }),
};

/** The options of an input that are settings of its mailbox. */
export function mailboxSettings(
  input: z.output<typeof settingsOptions>,
): Record<string, string | number | boolean> {
  const given = Object.entries(settingsOptions.parse(input)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string | number | boolean>;
}

/** Whether a command that connects a mailbox needs a secret. */
export function needsMailSecret({ provider, email }: Readonly<Record<string, unknown>>): boolean {
  const kind = (mailProviders as Readonly<Record<string, MailboxKind>>)[String(provider)];
  return email !== undefined && kind?.needsSecret === true;
}
