import { z } from 'zod';
import { connectedApp, role } from '../../authority/principal.ts';
import { field, optionalOrNull, paging, timestamp } from '../../schema/fields.ts';
import { CONTROL_CHARACTERS, text } from '../../schema/text.ts';

export const USER_ID_MAX_LENGTH = 255;

const displayName = field(text({ max: 100 }), 'A name for people; null or empty for none.', 'Ada Lovelace');

/** A Member as the Owners of the Workspace see them. */
export const member = z.strictObject({
  userId: z.string(),
  role,
  state: z.enum(['active', 'removed']),
  displayName: z.string().nullable(),
  addedAt: field(timestamp, 'When they were added, or added again.'),
});
export type Member = z.output<typeof member>;

/** The signed-in Member. */
export const me = z.strictObject({
  workspaceId: z.string(),
  userId: z.string(),
  role,
  displayName: z.string().nullable(),
  apps: field(z.array(connectedApp), 'The apps that they have connected.'),
});

export const namedMember = z.strictObject({
  userId: field(z.string(), 'The user id of a Member.', 'ada'),
});

export const memberQuery = z.strictObject({
  state: field(
    z.enum(['active', 'removed', 'all']).default('active'),
    'Only Members with this state.',
    'active',
  ),
  ...paging,
});

export const newMember = z.strictObject({
  userId: field(
    text({ min: 1, max: USER_ID_MAX_LENGTH }).regex(
      new RegExp(`^[^${CONTROL_CHARACTERS}]*$`),
      'must have no control characters',
    ),
    "The user's id at the issuer of session tokens: their claim sub.",
    'ada',
  ),
  role: field(role.default('member'), 'Their role.', 'member'),
  displayName: displayName.optional(),
});

export const memberChange = namedMember.extend({
  role: field(role.optional(), 'Their new role; it stops every grant that acts as them.', 'member'),
  displayName: optionalOrNull(displayName),
});
