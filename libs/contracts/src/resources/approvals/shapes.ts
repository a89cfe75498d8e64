import { z } from 'zod';
import { auditVia } from '../../audit/entry.ts';
import { exactObject } from '../../schema/exact-object.ts';
import { field, opaqueId, paging, pathId, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

const RULES_MAX = 20;
const REASON_MAX_LENGTH = 1000;

/** A rule: which calls of a Workspace wait for an Owner. */
const approvalRule = z.strictObject({
  operations: field(
    z
      .array(text({ min: 1, max: 200 }))
      .min(1)
      .max(100)
      .optional(),
    'The ids of the operations that it holds, each a write; when left out, every write.',
    ['record_store.delete_record'],
  ),
  callers: field(
    z.enum(['everyone', 'grants']).optional(),
    'Whose calls it holds: everyone (the default), or only those made with a grant.',
    'grants',
  ),
  grantIds: field(
    z.array(opaqueId).min(1).max(100).optional(),
    'With `grants`: only calls made with these.',
    ['rgr_0198f2d0c4b17a3e9d51c2aa40e7b6f3'],
  ),
  preventSelfApproval: field(
    z.boolean().optional(),
    'Whether the Owner for whom a call acts may not approve it; false by default.',
    true,
  ),
});
export type ApprovalRule = z.output<typeof approvalRule>;

export const approvalRules = z.strictObject({
  revision: field(z.int().min(0), 'Counts the changes of the rules; 0 before the first.', 3),
  rules: field(z.array(approvalRule).max(RULES_MAX), 'A call is held when any of them matches.', [
    { callers: 'grants' },
  ]),
});
export type ApprovalRules = z.output<typeof approvalRules>;

const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'used', 'lapsed']);
export type ApprovalStatus = z.output<typeof approvalStatus>;

/** An approval in a listing. */
export const listedApproval = z.strictObject({
  id: opaqueId,
  workspaceId: z.string(),
  status: field(
    approvalStatus,
    '`pending`: it waits for an Owner. `used`: the call was executed after it was approved. `lapsed`: it counts no more.',
  ),
  operation: z.string(),
  isDestructive: field(z.boolean(), 'Whether the effect of the operation cannot be undone.'),
  userId: field(z.string(), 'The Member for whom the call acts.'),
  via: auditVia,
  grantId: z.string().optional(),
  invocationId: field(z.string().optional(), 'The run of that routine grant.'),
  requestId: field(z.string(), 'The call that was held.'),
  requestedAt: timestamp,
  lapsesAt: timestamp,
  preventSelfApproval: z.boolean(),
  decidedBy: z.string().optional(),
  decidedAt: timestamp.optional(),
  reason: z.string().optional(),
  usedAt: timestamp.optional(),
  usedRequestId: field(z.string().optional(), 'The first call that it let through.'),
  formerId: field(z.string().optional(), 'The approval before, of the same call.'),
});
export type ListedApproval = z.output<typeof listedApproval>;

/** An approval with the call itself. */
export const approval = listedApproval.extend({
  idempotencyKey: z.string().nullable(),
  input: exactObject({
    description: 'The body of the call, exactly as it was sent.',
    example: { collection_id: 'col_0198f2d0c4b17a3e9d51c2aa40e7b6f3' },
    invalid: 'invalid_request',
  }),
});
export type Approval = z.output<typeof approval>;

export const approvalQuery = z.strictObject({
  status: field(approvalStatus.optional(), 'Only those with this status.', 'pending'),
  ...paging,
});

export const namedApproval = z.strictObject({ id: pathId('The id of an approval.', 'approval') });

export const approvalDecision = namedApproval.extend({
  decision: field(z.enum(['approve', 'reject']), 'Whether the call may be executed.', 'approve'),
  reason: field(
    text({ max: REASON_MAX_LENGTH }).optional(),
    'For the caller; kept with the approval.',
    'Yes, the order was cancelled.',
  ),
});
