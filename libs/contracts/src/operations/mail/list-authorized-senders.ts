import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { senderType } from './shapes.ts';

const authorizedSender = z.strictObject({
  sender_id: z.string(),
  type: senderType.optional(),
  display_name: z.string(),
  email: z.email(),
  available: z.boolean(),
  recommended_use: z.string(),
  interactive_eligible: z.boolean(),
  scheduled_eligible: z.boolean(),
});

export const listAuthorizedSenders = defineOperation({
  id: 'mail.list_authorized_senders',
  title: 'List authorized senders',
  description:
    'Lists the mailboxes in which the caller may create draft e-mails. Use only sender_id values returned here.',
  availability: 'workspace_member',
  app: 'mail_suite',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ senders: z.array(authorizedSender) }),
  errors: [],
  dataScope: { kind: 'senderIds' },
});
