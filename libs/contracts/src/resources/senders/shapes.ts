import { z } from 'zod';
import { senderType } from '../../operations/mail/shapes.ts';
import { field, pathId } from '../../schema/fields.ts';
import { displayName } from '../../schema/mailbox-fields.ts';
import { text } from '../../schema/text.ts';
import { newMailbox } from '../app-connections/mailbox.ts';
import { USER_ID_MAX_LENGTH } from '../members/shapes.ts';

/** A shared mailbox as Owners see it. */
export const sharedMailbox = z.strictObject({
  senderId: z.string(),
  type: senderType,
  displayName: z.string(),
  email: z.string(),
  members: field(z.array(z.string()).nullable(), 'Null when everyone may use it.'),
  everyone: z.boolean(),
  interactive: z.boolean(),
  scheduled: z.boolean(),
  available: field(z.boolean(), 'Whether drafts can be created in it now.'),
});
export type SharedMailbox = z.output<typeof sharedMailbox>;

const uses = {
  displayName: field(displayName, 'The name that stands beside the address.', 'Support'),
  members: field(
    z
      .array(text({ min: 1, max: USER_ID_MAX_LENGTH }))
      .min(1)
      .max(1000)
      .optional(),
    'The Members who may use it; these or everyone.',
    ['mika'],
  ),
  everyone: field(z.literal(true).optional(), 'Every Member of the Workspace may use it.', true),
  interactive: field(z.boolean(), 'Whether sessions and operation grants may use it.', true),
  scheduled: field(z.boolean(), 'Whether routine grants that list it may use it.', false),
};

export const newSender = z.strictObject({ ...newMailbox, ...uses });
export const namedSender = z.strictObject({ id: pathId('The senderId of a shared mailbox.', 'sender') });
export const senderChange = namedSender.extend({
  ...uses,
  displayName: uses.displayName.optional(),
  interactive: uses.interactive.optional(),
  scheduled: uses.scheduled.optional(),
});
