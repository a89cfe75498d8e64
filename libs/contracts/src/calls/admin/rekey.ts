import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';

const common = {
  effect: 'write',
  input: z.object({}),
  output: z.object({
    /** The id of the first key. */
    key: z.string(),
    /** How many mailboxes, endpoints or connectors have secrets that were encrypted anew. */
    moved: z.number(),
    /** How many still need another key: repeat the command. */
    remaining: z.number(),
  }),
} as const;

export const rekeyMailSecrets = defineCommand({
  ...common,
  id: 'admin.mail.rekey',
  command: 'mail rekey',
  summary:
    'Encrypts the secrets of all mailboxes with the first key of MAIL_SECRET_KEYS. A key without secrets may then leave the list.',
});

export const rekeyWebhookSecrets = defineCommand({
  ...common,
  id: 'admin.events.rekey',
  command: 'webhook rekey',
  summary:
    'Encrypts the secrets of all webhook endpoints with the first key of WEBHOOK_SECRET_KEYS. A key without secrets may then leave the list.',
});

export const rekeyConnectorSecrets = defineCommand({
  ...common,
  id: 'admin.custom-operations.rekey',
  command: 'connector rekey',
  summary:
    'Encrypts the secrets of all connectors with the first key of CUSTOM_OPERATION_SIGNING_KEYS. A key without secrets may then leave the list.',
});
