import { z } from 'zod';
import { KEY_MAX_LENGTH } from '../../limits.ts';
import { opaqueId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { defineOperation } from '../operation.ts';
import { senderType } from './shapes.ts';

const address = z.email();

const emailSubmission = z.strictObject({
  integration: z.literal('mail_suite'),
  action: z.enum(['create_draft', 'send_email']),
  status: z.enum(['drafted', 'accepted', 'failed', 'unknown']),
  draft_id: z.string().optional(),
  draft_url: z.string().optional(),
  sender_id: z.string(),
  sender_type: senderType,
  recipientCount: z.int().min(1),
  idempotency_key: z.string(),
  graph_correlation: z
    .strictObject({
      graph_request_id: z.string().optional(),
      graph_client_request_id: z.string().optional(),
      http_status: z.int().optional(),
    })
    .optional(),
});

export const sendEmail = defineOperation({
  id: 'mail.send_email',
  title: 'Draft an e-mail',
  description:
    'Creates a draft e-mail in a sender mailbox for a person to review. It never sends. Retries with the same idempotency_key return the original outcome without a second draft.',
  availability: 'workspace_member',
  app: 'mail_suite',
  effect: 'write',
  input: z.strictObject({
    to: z.array(address).min(1).max(20),
    cc: z.array(address).max(20).optional(),
    subject: text({ min: 1, max: 255 }).regex(/^[^\r\n\0]*$/, 'must not contain CR, LF or NUL'),
    body: text({ min: 1, max: 100_000 }).meta({ description: 'Plain text.' }),
    sender_id: opaqueId.optional().meta({ description: 'A sender_id from mail.list_authorized_senders.' }),
    output_definition: text({ min: 1, max: 200 })
      .optional()
      .meta({ description: 'Required on scheduled calls: exactly the one bound by the routine grant.' }),
    idempotency_key: text({ min: 1, max: KEY_MAX_LENGTH }).optional(),
    connection_id: z
      .string()
      .optional()
      .meta({ deprecated: true, description: 'A hint that is not needed and never authorizes.' }),
    confirm_send: z
      .literal(true)
      .optional()
      .meta({ deprecated: true, description: 'Not needed; never authorizes.' }),
  }),
  output: emailSubmission,
  errors: [
    'mail_sender_required',
    'mail_sender_not_authorized',
    'mail_sender_not_eligible',
    'mail_output_definition_required',
    'mail_idempotency_conflict',
  ],
  dataScope: {
    kind: 'senderIds',
    reached: (input) => (input.sender_id === undefined ? [] : [input.sender_id]),
    outputDefinition: (input) => input.output_definition,
  },
});
