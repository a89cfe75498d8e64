import type { StatedError } from './entry.ts';

export const memberErrors = {
  member_not_found: {
    status: 404,
    message: 'The Workspace has no Member with this user id.',
    next: 'List the Members with GET /api/v1/members, and use a userId from there.',
    why: 'The id is wrong, or the user is not, or is no longer, a Member of this Workspace.',
  },
  last_owner: {
    status: 400,
    message: 'This is the last Owner of the Workspace.',
    next: 'Make another Member an Owner first, then repeat the call.',
    why: 'A Workspace keeps an Owner, also when several Owners remove each other at the same moment. An operator of the platform can do it with --force.',
  },
} as const satisfies Record<string, StatedError>;
