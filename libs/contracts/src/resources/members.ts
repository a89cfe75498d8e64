import { z } from 'zod';
import { connectedApp, role } from '../authority/principal.ts';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { field, nextCursor, optionalOrNull, paging, timestamp, userId } from '../schema/fields.ts';
import { CONTROL_CHARACTERS, text } from '../schema/text.ts';

const displayName = field(text({ max: 100 }), 'A name for people; null or empty for none.', 'Demo Member');
const named = z.strictObject({ userId: field(z.string(), 'The user id of a Member.', 'demo-member') });

/** A Member as the Owners of the Workspace see them. */
export const member = z.strictObject({
  userId: z.string(),
  role,
  state: z.enum(['active', 'removed']),
  displayName: z.string().nullable(),
  addedAt: field(timestamp, 'When they were added, or added again.'),
});
export type Member = z.output<typeof member>;

const demoMember = {
  userId: 'demo-member',
  role: 'member',
  state: 'active',
  displayName: 'Demo Member',
  addedAt: '2026-05-01T09:30:00.000Z',
};

const all = { role: 'owner', path: '/api/v1/members' } as const;
const targetMembers = ({ userId }: { readonly userId: string }) => [userId];
const memberRoute = {
  ...all,
  targetMembers,
  path: `${all.path}/{userId}`,
  errors: ['member_not_found', 'last_owner'],
} as const;
const one = z.strictObject({ member });

/** The routes with which Owners run their Workspace's Members. */
export const membershipRoutes = {
  me: defineMemberRoute({
    id: 'grants.get_me',
    method: 'get',
    path: '/api/v1/me',
    title: 'Get the signed-in Member',
    description: 'Their user id, role and connected apps in the Workspace of the token.',
    input: z.strictObject({}),
    output: z.strictObject({
      workspaceId: z.string(),
      userId: z.string(),
      role,
      displayName: z.string().nullable(),
      apps: field(z.array(connectedApp), 'The apps that they have connected.'),
    }),
    answer: {
      description: 'The Member.',
      example: {
        workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
        userId: 'demo-member',
        role: 'owner',
        displayName: 'Demo Member',
        apps: ['mail_suite'],
      },
    },
  }),
  list: defineMemberRoute({
    ...all,
    id: 'grants.list_members',
    method: 'get',
    title: 'List Members',
    description: 'By user id. Follow nextCursor until it is null.',
    input: z.strictObject({
      state: field(
        z.enum(['active', 'removed', 'all']).default('active'),
        'Only Members with this state.',
        'active',
      ),
      ...paging,
    }),
    output: z.strictObject({ members: z.array(member), nextCursor }),
    answer: { description: 'A page of Members.', example: { members: [demoMember], nextCursor: null } },
  }),
  add: defineMemberRoute({
    ...all,
    targetMembers,
    id: 'grants.add_member',
    method: 'post',
    title: 'Add a Member',
    description:
      'Adds a user, or a removed Member again. An active Member with this role stays as they are. Adding an Owner needs a fresh sign-in at the console.',
    input: z.strictObject({
      userId: field(
        userId.regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'must have no control characters'),
        "The user's id at the issuer of session tokens: their claim sub.",
        'demo-member',
      ),
      role: field(role.default('member'), 'Their role.', 'member'),
      displayName: displayName.optional(),
    }),
    example: { displayName: 'Demo Member' },
    output: one,
    answer: { status: 201, description: 'The Member.', example: { member: demoMember } },
    errors: ['fresh_sign_in_required'],
  }),
  change: defineMemberRoute({
    ...memberRoute,
    id: 'grants.change_member',
    method: 'patch',
    title: 'Change a Member',
    description:
      'Changes the fields that are there. A new role stops every grant that acts as the Member. Making an Owner needs a fresh sign-in at the console.',
    input: named.extend({
      role: field(role.optional(), 'Their new role; it stops every grant that acts as them.', 'member'),
      displayName: optionalOrNull(displayName),
    }),
    example: { displayName: 'Demo Member of Sales' },
    output: one,
    answer: {
      description: 'The Member, changed.',
      example: { member: { ...demoMember, displayName: 'Demo Member of Sales' } },
    },
    errors: [...memberRoute.errors, 'fresh_sign_in_required'],
  }),
  remove: defineMemberRoute({
    ...memberRoute,
    id: 'grants.remove_member',
    method: 'delete',
    title: 'Remove a Member',
    description:
      'The next call of the Member fails, and that of every grant that acts as them; their mailboxes draft no more. Safe to repeat.',
    input: named,
    output: one.extend({
      stoppedGrants: field(z.int().min(0), 'How many active grants of theirs this call stopped.'),
    }),
    answer: {
      description: 'The Member, removed.',
      example: { member: { ...demoMember, state: 'removed' }, stoppedGrants: 2 },
    },
  }),
};
