import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { emailAddress } from '../../schema/email-address.ts';
import { field } from '../../schema/fields.ts';
import { senderType } from './shapes.ts';

const authorizedSender = z.strictObject({
  sender_id: field(z.string(), 'Stays the same when the mailbox is connected again.'),
  type: senderType.optional(),
  display_name: z.string(),
  email: emailAddress,
  available: field(z.boolean(), 'Whether drafts can be created in it now.'),
  recommended_use: z.string(),
  interactive_eligible: field(z.boolean(), 'Whether a session or an operation grant may use it.'),
  scheduled_eligible: field(z.boolean(), 'Whether a routine grant that lists it may use it.'),
});
export type AuthorizedSender = z.output<typeof authorizedSender>;

export const listAuthorizedSenders = defineOperation({
  id: 'mail.list_authorized_senders',
  title: 'List authorized senders',
  description:
    'Lists the mailboxes in which the caller may create draft e-mails. Use only sender_id values returned here.',
  app: 'mail_suite',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ senders: z.array(authorizedSender) }),
  exampleResult: {
    senders: [
      {
        sender_id: exampleId('sender'),
        type: 'member_mailbox',
        display_name: 'Mika',
        email: 'mika@example.com',
        available: true,
        recommended_use: 'E-mails in your own name.',
        interactive_eligible: true,
        scheduled_eligible: true,
      },
    ],
  },
  dataScope: { kind: 'senderIds' },
});
