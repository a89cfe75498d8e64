import { z } from 'zod';
import { auditVia } from '../audit/entry.ts';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { exampleId } from '../ids/ids.ts';
import { exactObject } from '../schema/exact-object.ts';
import { field, nextCursor, opaqueId, paging, pathId, timestamp } from '../schema/fields.ts';
import { text } from '../schema/text.ts';
import { approvalRules, newApprovalRules } from './approval-rules.ts';

const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'used', 'lapsed']);
export type ApprovalStatus = z.output<typeof approvalStatus>;

/** An approval in a listing. */
export const listedApproval = z.strictObject({
  id: opaqueId,
  workspaceId: z.string(),
  status: field(
    approvalStatus,
    '`pending`: it waits for a decision. `used`: the call was executed after it was approved. `lapsed`: it counts no more.',
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
  heldBy: field(
    z.array(z.strictObject({ rule: z.int(), when: z.array(z.int()).optional() })),
    'The rules that held the call: their places, and those of their conditions, from 0.',
  ),
});
export type ListedApproval = z.output<typeof listedApproval>;

/** An approval with the call itself. */
export const approval = listedApproval.extend({
  idempotencyKey: z.string().nullable(),
  before: field(
    z.strictObject({ approved: z.int(), rejected: z.int() }).optional(),
    'How often the same call was approved and rejected before, of the approvals that are kept; absent for the first.',
  ),
  input: exactObject({
    description: 'The body of the call, exactly as it was sent.',
    example: { collection_id: exampleId('collection') },
    invalid: 'invalid_request',
  }),
});
export type Approval = z.output<typeof approval>;

const named = z.strictObject({ id: pathId('The id of an approval.', 'approval') });

const rules = {
  revision: 3,
  rules: [{ operations: ['record_store.delete_record', 'mail.send_email'], callers: 'grants' }],
};
const inListing = {
  id: exampleId('approval'),
  workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
  status: 'pending',
  operation: 'record_store.delete_record',
  isDestructive: true,
  userId: 'mika',
  via: 'routine_grant',
  grantId: exampleId('routineGrant'),
  invocationId: 'night-2026-05-01',
  requestId: 'req_6b1f0c2d9e8a47f3b5c4d3e2f1a09b87',
  requestedAt: '2026-05-01T02:00:00.000Z',
  lapsesAt: '2026-05-04T02:00:00.000Z',
  preventSelfApproval: false,
  heldBy: [{ rule: 0 }],
};
const exampleApproval = {
  ...inListing,
  idempotencyKey: null,
  input: { collection_id: exampleId('collection'), record_id: exampleId('record') },
};

const ofRules = { role: 'owner', path: '/api/v1/approval-rules', output: approvalRules } as const;
const path = '/api/v1/approvals';
const one = {
  path: `${path}/{id}`,
  input: named,
  output: z.strictObject({ approval }),
  errors: ['approval_not_found'],
} as const;

/** The routes with which Owners hold calls, and Owners and approvers decide about them. */
export const approvalRoutes = {
  rules: defineMemberRoute({
    ...ofRules,
    id: 'grants.get_approval_rules',
    method: 'get',
    title: 'Get the rules of approvals',
    description: 'The rules that hold writes of the Workspace until an Owner approves the exact call.',
    input: z.strictObject({}),
    answer: { description: 'The rules.', example: rules },
  }),
  setRules: defineMemberRoute({
    ...ofRules,
    id: 'grants.set_approval_rules',
    method: 'put',
    freshSignIn: true,
    title: 'Set the rules of approvals',
    description:
      'Replaces all rules; `revision` is the present one. They hold the very next call. Only for an Owner who has just signed in at the console.',
    input: newApprovalRules,
    example: rules,
    targets: () => [],
    answer: { description: 'The rules, with the next revision.', example: { ...rules, revision: 4 } },
  }),
  list: defineMemberRoute({
    path,
    id: 'grants.list_approvals',
    method: 'get',
    title: 'List approvals',
    description:
      "Newest first: those of a Member's own calls and those that they may decide, or for an Owner those of the Workspace. Follow nextCursor until it is null.",
    input: z.strictObject({
      status: field(approvalStatus.optional(), 'Only those with this status.', 'pending'),
      ...paging,
    }),
    output: z.strictObject({ approvals: z.array(listedApproval), nextCursor }),
    answer: { description: 'A page of approvals.', example: { approvals: [inListing], nextCursor: null } },
  }),
  get: defineMemberRoute({
    ...one,
    id: 'grants.get_approval',
    method: 'get',
    title: 'Get an approval',
    description: 'With the input of the call, exactly as it was sent.',
    answer: { description: 'The approval.', example: { approval: exampleApproval } },
  }),
  decide: defineMemberRoute({
    ...one,
    path: `${one.path}/decision`,
    id: 'grants.decide_approval',
    method: 'post',
    freshSignIn: true,
    title: 'Decide an approval',
    description:
      'Approves or rejects the exact call; the first decision counts. The call is not executed by it: its caller repeats it. Only for an Owner or an approver of the call who has just signed in at the console.',
    input: named.extend({
      decision: field(z.enum(['approve', 'reject']), 'Whether the call may be executed.', 'approve'),
      reason: field(
        text({ max: 1000 }).optional(),
        'For the caller; kept with the approval.',
        'Yes, the order was cancelled.',
      ),
    }),
    answer: {
      description: 'The approval, decided.',
      example: {
        approval: {
          ...exampleApproval,
          status: 'approved',
          lapsesAt: '2026-05-02T07:12:00.000Z',
          decidedBy: 'olga',
          decidedAt: '2026-05-01T07:12:00.000Z',
        },
      },
    },
    errors: [...one.errors, 'owner_role_required', 'other_approver_required', 'approval_not_pending'],
  }),
};

export type DecisionOnApproval = z.output<typeof approvalRoutes.decide.input>;
