import { type SendHistoryEntry, sendEmail } from '@action-platform/contracts';
import type { AttemptDocument } from './attempt-document.ts';

/**
 * An attempt as the history tells it. What is not known to be drafted counts as failed, and `view.outcome` says so; a
 * retry that finds the draft makes the same entry `ok`.
 */
export function historyEntry(attempt: AttemptDocument): SendHistoryEntry {
  return {
    operation_id: sendEmail.id as SendHistoryEntry['operation_id'],
    actor_user_id: attempt.user_id,
    workspace_id: attempt.workspace_id,
    logged_at: attempt.logged_at.toISOString(),
    status: statusOf(attempt),
    routine_grant_id: attempt.routine_grant_id,
    view: {
      outcome: attempt.outcome,
      error_code: attempt.outcome === 'denied' ? attempt.error_code : undefined,
      sender_id: attempt.sender_id,
      sender_type: attempt.sender_type,
      recipient_count: attempt.recipient_count,
      subject: attempt.subject,
      draft_id: attempt.outcome === 'drafted' ? attempt.draft_id : undefined,
      operation_grant_id: attempt.operation_grant_id,
    },
  };
}

function statusOf({ outcome }: AttemptDocument): SendHistoryEntry['status'] {
  if (outcome === 'drafted') return 'ok';
  return outcome === 'denied' ? 'denied' : 'failed';
}
