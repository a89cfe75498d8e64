import { z } from 'zod';
import { defineMemberRoute } from '../../declaration/member-route.ts';
import { field, nextCursor } from '../../schema/fields.ts';
import { me, member, memberChange, memberQuery, namedMember, newMember } from './shapes.ts';

const ada = {
  userId: 'ada',
  role: 'member',
  state: 'active',
  displayName: 'Ada Lovelace',
  addedAt: '2026-05-01T09:30:00.000Z',
};

const all = { service: 'grants', role: 'owner', path: '/api/v1/members' } as const;
const ofOne = { ...all, path: `${all.path}/{userId}`, errors: ['member_not_found', 'last_owner'] } as const;
const one = z.strictObject({ member });

/** The routes with which Owners run their Workspace's Members. */
export const membershipRoutes = {
  me: defineMemberRoute({
    service: 'grants',
    id: 'grants.get_me',
    method: 'get',
    path: '/api/v1/me',
    title: 'Get the signed-in Member',
    description: 'Their user id, role and connected apps in the Workspace of the token.',
    input: z.strictObject({}),
    output: me,
    answer: {
      description: 'The Member.',
      example: {
        workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
        userId: 'ada',
        role: 'owner',
        displayName: 'Ada Lovelace',
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
    input: memberQuery,
    output: z.strictObject({ members: z.array(member), nextCursor }),
    answer: { description: 'A page of Members.', example: { members: [ada], nextCursor: null } },
  }),
  add: defineMemberRoute({
    ...all,
    id: 'grants.add_member',
    method: 'post',
    title: 'Add a Member',
    description:
      'Adds a user, or a removed Member again. An active Member with this role stays as they are. Adding an Owner needs a fresh sign-in at the console.',
    input: newMember,
    example: { userId: 'ada', displayName: 'Ada Lovelace' },
    output: one,
    answer: { status: 201, description: 'The Member.', example: { member: ada } },
    errors: ['fresh_sign_in_required'],
  }),
  change: defineMemberRoute({
    ...ofOne,
    id: 'grants.change_member',
    method: 'patch',
    title: 'Change a Member',
    description:
      'Changes the fields that are there. A new role stops every grant that acts as the Member. Making an Owner needs a fresh sign-in at the console.',
    input: memberChange,
    example: { displayName: 'Ada King' },
    output: one,
    answer: { description: 'The Member, changed.', example: { member: { ...ada, displayName: 'Ada King' } } },
    errors: [...ofOne.errors, 'fresh_sign_in_required'],
  }),
  remove: defineMemberRoute({
    ...ofOne,
    id: 'grants.remove_member',
    method: 'delete',
    title: 'Remove a Member',
    description:
      'The next call of the Member fails, and that of every grant that acts as them; their mailboxes draft no more. Safe to repeat.',
    input: namedMember,
    output: one.extend({
      stoppedGrants: field(z.int().min(0), 'How many active grants of theirs this call stopped.'),
    }),
    answer: {
      description: 'The Member, removed.',
      example: { member: { ...ada, state: 'removed' }, stoppedGrants: 2 },
    },
  }),
};
