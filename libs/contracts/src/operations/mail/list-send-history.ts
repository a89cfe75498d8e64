import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { field, timestamp } from '../../schema/fields.ts';

const sendHistoryEntry = z.strictObject({
  operation_id: z.literal('mail.send_email'),
  actor_user_id: z.string(),
  workspace_id: z.string(),
  logged_at: timestamp,
  status: field(
    z.enum(['ok', 'denied', 'failed']),
    'ok: the draft was saved. denied: a rule refused the attempt. failed: it was not saved, or not yet known to be (view.outcome tells which).',
  ),
  operation_approval_id: z.string().optional(),
  routine_grant_id: z.string().optional(),
  automation_grant_id: z.string().optional(),
  view: field(
    z.record(z.string(), z.unknown()),
    'The attempt and its outcome: outcome (drafted, failed, unknown, denied), error_code, sender_id, sender_type, recipient_count, subject, draft_id, draft_url (your own), operation_grant_id; attempt_id and request_id are those of its event. Never a body.',
  ),
});
export type SendHistoryEntry = z.output<typeof sendHistoryEntry>;

export const listSendHistory = defineOperation({
  id: 'mail.list_send_history',
  title: 'List send history',
  description:
    "Lists attempts to create draft e-mails, newest first, at most 500: a Member's own, or for an Owner the Workspace's.",
  app: 'mail_suite',
  appNotNeededBy: 'owner',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ entries: z.array(sendHistoryEntry) }),
  exampleResult: {
    entries: [
      {
        operation_id: 'mail.send_email',
        actor_user_id: 'mika',
        workspace_id: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
        logged_at: '2026-05-01T09:30:00.000Z',
        status: 'ok',
        view: {
          attempt_id: 'att_0198f2d5e0a1',
          request_id: 'req_6b1f0c2d9e8a47f3b5c4d3e2f1a09b87',
          outcome: 'drafted',
          sender_id: exampleId('sender'),
          sender_type: 'member_mailbox',
          recipient_count: 1,
          subject: 'Weekly report',
          draft_id: 'drf_0198f2d5e2b9',
        },
      },
    ],
  },
  dataScope: { kind: 'senderIds' },
});
