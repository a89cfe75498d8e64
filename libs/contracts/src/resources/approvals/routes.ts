import { z } from 'zod';
import { defineMemberRoute } from '../../declaration/member-route.ts';
import { exampleId } from '../../ids.ts';
import { exampleIds } from '../../operations/record-store/examples.ts';
import { nextCursor } from '../../schema/fields.ts';
import {
  approvalDecision,
  approvalQuery,
  approvalRules,
  listedApproval,
  namedApproval,
  approval as shape,
} from './shapes.ts';

const rules = {
  revision: 3,
  rules: [{ operations: ['record_store.delete_record', 'mail.send_email'], callers: 'grants' }],
};
const listed = {
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
};
const approval = {
  ...listed,
  idempotencyKey: null,
  input: { collection_id: exampleIds.collection, record_id: exampleIds.record },
};

const ofRules = { service: 'grants', role: 'owner', path: '/api/v1/approval-rules' } as const;
const ofApprovals = { service: 'grants', path: '/api/v1/approvals' } as const;
const one = {
  ...ofApprovals,
  path: `${ofApprovals.path}/{id}`,
  output: z.strictObject({ approval: shape }),
  errors: ['approval_not_found'],
} as const;

/** The routes with which Owners hold calls and decide about them. */
export const approvalRoutes = {
  rules: defineMemberRoute({
    ...ofRules,
    id: 'grants.get_approval_rules',
    method: 'get',
    title: 'Get the rules of approvals',
    description: 'The rules that hold writes of the Workspace until an Owner approves the exact call.',
    input: z.strictObject({}),
    output: approvalRules,
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
    // A schema of its own has a name of its own in the API reference.
    input: approvalRules.clone(),
    example: rules,
    output: approvalRules,
    answer: { description: 'The rules, with the next revision.', example: { ...rules, revision: 4 } },
  }),
  list: defineMemberRoute({
    ...ofApprovals,
    id: 'grants.list_approvals',
    method: 'get',
    title: 'List approvals',
    description:
      "Newest first: those of a Member's own calls, or for an Owner those of the Workspace. Follow nextCursor until it is null.",
    input: approvalQuery,
    output: z.strictObject({ approvals: z.array(listedApproval), nextCursor }),
    answer: { description: 'A page of approvals.', example: { approvals: [listed], nextCursor: null } },
  }),
  get: defineMemberRoute({
    ...one,
    id: 'grants.get_approval',
    method: 'get',
    title: 'Get an approval',
    description: 'With the input of the call, exactly as it was sent.',
    input: namedApproval,
    answer: { description: 'The approval.', example: { approval } },
  }),
  decide: defineMemberRoute({
    ...one,
    path: `${one.path}/decision`,
    id: 'grants.decide_approval',
    method: 'post',
    role: 'owner',
    freshSignIn: true,
    title: 'Decide an approval',
    description:
      'Approves or rejects the exact call; the first decision counts. The call is not executed by it: its caller repeats it. Only for an Owner who has just signed in at the console.',
    input: approvalDecision,
    example: { decision: 'approve' },
    answer: {
      description: 'The approval, decided.',
      example: {
        approval: {
          ...approval,
          status: 'approved',
          lapsesAt: '2026-05-02T07:12:00.000Z',
          decidedBy: 'olga',
          decidedAt: '2026-05-01T07:12:00.000Z',
        },
      },
    },
    errors: [...one.errors, 'other_approver_required', 'approval_not_pending'],
  }),
};
