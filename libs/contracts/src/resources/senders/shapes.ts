import { z } from 'zod';
import { senderType } from '../../operations/mail/shapes.ts';
import { pathId } from '../../schema/fields.ts';
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
  members: z.array(z.string()).nullable().meta({ description: 'Null when everyone may use it.' }),
  everyone: z.boolean(),
  interactive: z.boolean(),
  scheduled: z.boolean(),
  available: z.boolean().meta({ description: 'Whether drafts can be created in it now.' }),
});
export type SharedMailbox = z.output<typeof sharedMailbox>;

const uses = {
  displayName: displayName.meta({
    description: 'The name that stands beside the address.',
    examples: ['Support'],
  }),
  members: z
    .array(text({ min: 1, max: USER_ID_MAX_LENGTH }))
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'The Members who may use it; these or everyone.', examples: [['mika']] }),
  everyone: z
    .literal(true)
    .optional()
    .meta({ description: 'Every Member of the Workspace may use it.', examples: [true] }),
  interactive: z
    .boolean()
    .meta({ description: 'Whether sessions and operation grants may use it.', examples: [true] }),
  scheduled: z
    .boolean()
    .meta({ description: 'Whether routine grants that list it may use it.', examples: [false] }),
};

export const newSender = z.strictObject({ ...newMailbox, ...uses });
export const namedSender = z.strictObject({
  id: pathId('The senderId of a shared mailbox.', 'sender'),
});
/** The input of PATCH /api/v1/senders/{id}. */
export const senderChange = namedSender.extend({
  ...uses,
  displayName: uses.displayName.optional(),
  interactive: uses.interactive.optional(),
  scheduled: uses.scheduled.optional(),
});
