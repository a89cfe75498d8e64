import { z } from 'zod';
import { timestamp } from '../../schema/fields.ts';
import { defineOperation } from '../operation.ts';

const sendHistoryEntry = z.strictObject({
  operation_id: z.literal('mail.send_email'),
  actor_user_id: z.string(),
  workspace_id: z.string(),
  logged_at: timestamp,
  status: z.enum(['ok', 'denied', 'failed']),
  operation_approval_id: z.string().optional(),
  routine_grant_id: z.string().optional(),
  automation_grant_id: z.string().optional(),
  view: z.record(z.string(), z.unknown()),
});

export const listSendHistory = defineOperation({
  id: 'mail.list_send_history',
  title: 'List send history',
  description:
    "Lists attempts to create draft e-mails, newest first, at most 500: a Member's own, or for an Owner the Workspace's.",
  availability: 'workspace_member',
  app: 'mail_suite',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ entries: z.array(sendHistoryEntry) }),
  errors: [],
});
