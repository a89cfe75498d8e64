import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { OUTPUT_DEFINITION_MAX_LENGTH } from '../../limits/limits.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { field, key, opaqueId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { senderType } from './shapes.ts';

const providerCorrelation = field(
  z.strictObject({
    graph_request_id: z.string().optional(),
    graph_client_request_id: z.string().optional(),
    http_status: z.int().optional(),
  }),
  "The mail provider's own names for the request, kept for audit.",
);
export type ProviderCorrelation = z.output<typeof providerCorrelation>;

const emailSubmission = z.strictObject({
  integration: z.literal('mail_suite'),
  action: z.enum(['create_draft', 'send_email']),
  status: field(
    z.enum(['drafted', 'accepted', 'failed', 'unknown']),
    'drafted: the draft is saved, not sent. failed: the mail provider refused it; use a new idempotency_key to try again. unknown: the draft may or may not be saved; repeat the call with the same idempotency_key. accepted: historical.',
  ),
  draft_id: z.string().optional(),
  draft_url: z.string().optional(),
  sender_id: z.string(),
  sender_type: senderType,
  recipientCount: field(z.int().min(1), 'How many addresses to and cc have together.'),
  idempotency_key: field(z.string(), 'The key used for this submission.'),
  graph_correlation: providerCorrelation.optional(),
  next: field(z.string().optional(), 'The step to take when the status is failed or unknown.'),
});
export type EmailSubmission = z.output<typeof emailSubmission>;

export const sendEmail = defineOperation({
  id: 'mail.send_email',
  title: 'Draft an e-mail',
  description:
    'Creates a draft e-mail in a sender mailbox for a person to review. It never sends. Retries with the same idempotency_key return the original outcome without a second draft. When the status is unknown, repeat the call with the idempotency_key of the answer.',
  app: 'mail_suite',
  effect: 'write',
  input: z.strictObject({
    to: field(z.array(emailAddress).min(1).max(20), 'The addresses it goes to.', ['olga@example.com']),
    cc: field(z.array(emailAddress).max(20).optional(), 'The addresses that get a copy.', [
      'ben@example.com',
    ]),
    subject: field(
      text({ min: 1, max: 255 }).regex(
        /^[^\r\n\v\f\u0085\u2028\u2029\0]*$/,
        'must not contain a line end or NUL',
      ),
      'One line.',
      'Weekly report',
    ),
    body: field(text({ min: 1, max: 100_000 }), 'Plain text.', 'Hello Olga, the report is attached.'),
    sender_id: field(
      opaqueId.optional(),
      "A sender_id from mail.list_authorized_senders. When left out: the Member's own mailbox; required with a routine grant.",
      exampleId('sender'),
    ),
    output_definition: field(
      text({ min: 1, max: OUTPUT_DEFINITION_MAX_LENGTH }).optional(),
      'For calls with a routine grant alone, which require it: the output definition of the grant.',
      'weekly-report',
    ),
    idempotency_key: field(
      key.optional(),
      'Repeating a call with the same key returns the first outcome. A routine grant has its keys to itself; sessions and operation grants of a Member share theirs. When left out: x-routine-invocation-id with a routine grant, otherwise the request id.',
      'weekly-report-2026-18',
    ),
    connection_id: z
      .string()
      .optional()
      .meta({
        deprecated: true,
        description: 'A hint that is not needed and never authorizes.',
        examples: [exampleId('connection')],
      }),
    confirm_send: z
      .literal(true)
      .optional()
      .meta({ deprecated: true, description: 'Not needed; never authorizes.', examples: [true] }),
  }),
  scheduledFields: ['output_definition'],
  output: emailSubmission,
  exampleResult: {
    integration: 'mail_suite',
    action: 'create_draft',
    status: 'drafted',
    draft_id: 'drf_0198f2d5e2b9',
    sender_id: exampleId('sender'),
    sender_type: 'member_mailbox',
    recipientCount: 1,
    idempotency_key: 'weekly-report-2026-18',
  },
  outcome: ({ status }) => (status === 'failed' || status === 'unknown' ? status : undefined),
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
  targets: ({ sender_id }, result) => [result?.sender_id ?? sender_id, result?.draft_id],
});
