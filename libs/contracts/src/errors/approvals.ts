import type { StatedError } from './entry.ts';

export const approvalErrors = {
  operation_approval_required: {
    status: 403,
    message: 'An Owner has to approve this call first. Nothing was done.',
    next: 'Tell the user that an Owner must decide at {page}. Repeat the call with the same arguments until it is decided, not more often than once a minute.',
    retryAfter: 60,
    why: 'A rule of the Workspace holds calls such as this one until an Owner has approved the exact call. The approval counts for the same caller, operation, idempotency key and input, and for no other call.',
  },
  operation_approval_rejected: {
    status: 403,
    message: 'An Owner rejected this call. Nothing was done.',
    recoverable: false,
    next: 'Tell the user that an Owner rejected the call, with the reason in the message; do not repeat it.',
    why: 'An Owner decided about the exact call. The decision counts for a day; another input is another call.',
  },
  other_approver_required: {
    status: 403,
    message: 'Another Owner must decide about this call, because it acts for you.',
    recoverable: false,
    next: 'Ask another Owner of the Workspace to decide.',
    why: 'The rule that holds the call prevents Owners from approving their own calls (preventSelfApproval).',
  },
  approval_not_found: {
    status: 404,
    message: 'You can see no approval with this id.',
    next: 'List the approvals that you can see with GET /api/v1/approvals, and use an id from there.',
    why: 'The id is wrong, the approval is no longer kept, or it belongs to another Member.',
  },
  approval_not_pending: {
    status: 400,
    message: 'The approval is not pending: another Owner decided it, or it has lapsed.',
    recoverable: false,
    next: 'Read the approval with GET /api/v1/approvals/{id}. If it has lapsed, have the call repeated: it gets a new approval.',
    why: 'The first decision counts, and a question waits for three days.',
  },
} as const satisfies Record<string, StatedError>;
