import { z } from 'zod';
import { auditVia } from '../../audit/entry.ts';
import { exactObject } from '../../schema/exact-object.ts';
import { opaqueId, paging, pathId, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

/** The most rules of a Workspace. */
const RULES_MAX = 20;
/** The longest reason of a decision, in characters. */
const REASON_MAX_LENGTH = 1000;

/** A rule: which calls of a Workspace wait for an Owner. */
const approvalRule = z.strictObject({
  operations: z
    .array(text({ min: 1, max: 200 }))
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'The ids of the operations that it holds, each a write; when left out, every write.',
      examples: [['record_store.delete_record']],
    }),
  callers: z
    .enum(['everyone', 'grants'])
    .optional()
    .meta({
      description: 'Whose calls it holds: everyone (the default), or only those made with a grant.',
      examples: ['grants'],
    }),
  grantIds: z
    .array(opaqueId)
    .min(1)
    .max(100)
    .optional()
    .meta({
      description: 'With `grants`: only calls made with these.',
      examples: [['rgr_0198f2d0c4b17a3e9d51c2aa40e7b6f3']],
    }),
  preventSelfApproval: z
    .boolean()
    .optional()
    .meta({
      description: 'Whether the Owner for whom a call acts may not approve it; false by default.',
      examples: [true],
    }),
});
export type ApprovalRule = z.output<typeof approvalRule>;

/** The rules of a Workspace. */
export const approvalRules = z.strictObject({
  revision: z
    .int()
    .min(0)
    .meta({ description: 'Counts the changes of the rules; 0 before the first.', examples: [3] }),
  rules: z
    .array(approvalRule)
    .max(RULES_MAX)
    .meta({ description: 'A call is held when any of them matches.', examples: [[{ callers: 'grants' }]] }),
});
export type ApprovalRules = z.output<typeof approvalRules>;

const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'used', 'lapsed']);
export type ApprovalStatus = z.output<typeof approvalStatus>;

/** An approval in a listing. */
export const listedApproval = z.strictObject({
  id: opaqueId,
  workspaceId: z.string(),
  status: approvalStatus.meta({
    description:
      '`pending`: it waits for an Owner. `used`: the call was executed after it was approved. `lapsed`: it counts no more.',
  }),
  operation: z.string(),
  isDestructive: z.boolean().meta({ description: 'Whether the effect of the operation cannot be undone.' }),
  userId: z.string().meta({ description: 'The Member for whom the call acts.' }),
  via: auditVia,
  grantId: z.string().optional(),
  invocationId: z.string().optional().meta({ description: 'The run of that routine grant.' }),
  requestId: z.string().meta({ description: 'The call that was held.' }),
  requestedAt: timestamp,
  lapsesAt: timestamp,
  preventSelfApproval: z.boolean(),
  decidedBy: z.string().optional(),
  decidedAt: timestamp.optional(),
  reason: z.string().optional(),
  usedAt: timestamp.optional(),
  usedRequestId: z.string().optional().meta({ description: 'The first call that it let through.' }),
  formerId: z.string().optional().meta({ description: 'The approval before, of the same call.' }),
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

/** The query of GET /api/v1/approvals. */
export const approvalQuery = z.strictObject({
  status: approvalStatus
    .optional()
    .meta({ description: 'Only those with this status.', examples: ['pending'] }),
  ...paging,
});

export const namedApproval = z.strictObject({
  id: pathId('The id of an approval.', 'approval'),
});

/** The input of POST /api/v1/approvals/{id}/decision. */
export const approvalDecision = namedApproval.extend({
  decision: z
    .enum(['approve', 'reject'])
    .meta({ description: 'Whether the call may be executed.', examples: ['approve'] }),
  reason: text({ max: REASON_MAX_LENGTH })
    .optional()
    .meta({
      description: 'For the caller; kept with the approval.',
      examples: ['Yes, the order was cancelled.'],
    }),
});
