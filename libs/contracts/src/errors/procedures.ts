import type { StatedError } from './entry.ts';

export const procedureErrors = {
  procedure_not_found: {
    status: 400,
    message: 'The Workspace has no Procedure with this slug.',
    next: 'Use a slug from procedures.list_drafts.',
    why: 'The slug is wrong, or belongs to another Workspace.',
  },
  procedure_slug_taken: {
    status: 400,
    message: 'A Procedure with this slug exists with other content.',
    next: 'Choose another slug and try again.',
    why: 'Slugs are unique in a Workspace. Repeating an identical create returns the existing draft.',
  },
} as const satisfies Record<string, StatedError>;
