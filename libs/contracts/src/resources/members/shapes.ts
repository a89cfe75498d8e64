import { z } from 'zod';
import { connectedApp, role } from '../../authority/principal.ts';
import { optionalOrNull, paging, timestamp } from '../../schema/fields.ts';
import { CONTROL_CHARACTERS, text } from '../../schema/text.ts';

/** The longest user id, in characters. */
export const USER_ID_MAX_LENGTH = 255;

const displayName = text({ max: 100 }).meta({
  description: 'A name for people; null or empty for none.',
  examples: ['Ada Lovelace'],
});

/** A Member as the Owners of the Workspace see them. */
export const member = z.strictObject({
  userId: z.string(),
  role,
  state: z.enum(['active', 'removed']),
  displayName: z.string().nullable(),
  addedAt: timestamp.meta({ description: 'When they were added, or added again.' }),
});
export type Member = z.output<typeof member>;

/** The signed-in Member. */
export const me = z.strictObject({
  workspaceId: z.string(),
  userId: z.string(),
  role,
  displayName: z.string().nullable(),
  apps: z.array(connectedApp).meta({ description: 'The apps that they have connected.' }),
});

export const namedMember = z.strictObject({
  userId: z.string().meta({ description: 'The user id of a Member.', examples: ['ada'] }),
});

/** The query of GET /api/v1/members. */
export const memberQuery = z.strictObject({
  state: z
    .enum(['active', 'removed', 'all'])
    .default('active')
    .meta({ description: 'Only Members with this state.', examples: ['active'] }),
  ...paging,
});

/** The body of POST /api/v1/members. */
export const newMember = z.strictObject({
  userId: text({ min: 1, max: USER_ID_MAX_LENGTH })
    .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'must have no control characters')
    .meta({
      description: "The user's id at the issuer of session tokens: their claim sub.",
      examples: ['ada'],
    }),
  role: role.default('member').meta({ description: 'Their role.', examples: ['member'] }),
  displayName: displayName.optional(),
});

/** The input of PATCH /api/v1/members/{userId}. */
export const memberChange = namedMember.extend({
  role: role.optional().meta({
    description: 'Their new role; it stops every grant that acts as them.',
    examples: ['member'],
  }),
  displayName: optionalOrNull(displayName),
});
