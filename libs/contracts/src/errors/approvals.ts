import type { StatedError } from './entry.ts';

export const approvalErrors = {
  operation_approval_required: {
    status: 403,
    message: 'An Owner or approver has to approve this call first. Nothing was done.',
    next: 'Tell the user that an Owner or approver must decide at {page}. Repeat the call with the same arguments until it is decided, not more often than once a minute.',
    retryAfter: 60,
    names: 'approval',
    why: 'A rule of the Workspace holds calls such as this one until an Owner, or a Member whom the rule names, has approved the exact call. The approval counts for the same caller, operation, idempotency key and input, and for no other call.',
  },
  operation_approval_rejected: {
    status: 403,
    message: 'An Owner or approver rejected this call. Nothing was done.',
    recoverable: false,
    next: 'Tell the user that the call was rejected, with the reason in the message; do not repeat it.',
    names: 'approval',
    why: 'An Owner or approver decided about the exact call. The decision counts for a day; another input is another call.',
  },
  other_approver_required: {
    status: 403,
    message: 'Another Owner or approver must decide about this call, because it acts for you.',
    recoverable: false,
    next: 'Ask an Owner of the Workspace to decide, or another approver of the rule.',
    why: 'An approver who is no Owner never decides about their own call, and a rule may prevent Owners from that too (preventSelfApproval).',
  },
  approval_not_found: {
    status: 404,
    message: 'You can see no approval with this id.',
    next: 'List the approvals that you can see with GET /api/v1/approvals, and use an id from there.',
    why: 'The id is wrong, the approval is no longer kept, or it belongs to another Member.',
  },
  approval_not_pending: {
    status: 400,
    message: 'The approval is not pending: somebody decided it, or it has lapsed.',
    recoverable: false,
    next: 'Read the approval with GET /api/v1/approvals/{id}. If it has lapsed, have the call repeated: it gets a new approval.',
    why: 'The first decision counts, and a question waits for three days.',
  },
} as const satisfies Record<string, StatedError>;
