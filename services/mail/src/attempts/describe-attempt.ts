import {
  type EmailSubmission,
  type SendHistoryEntry,
  sendEmail,
} from '@action-platform/contracts/operations';
import type { StoredAttempt, StoredSubmission } from './stored-attempt.ts';

/** The next step of the caller after an outcome other than `drafted`. */
const nextSteps = {
  unknown: (seconds: number) =>
    `Repeat the call with this idempotency_key in ${seconds} second${seconds === 1 ? '' : 's'}: it finds the draft or creates it, and never creates a second one.`,
  failed: () =>
    'The mail provider refused the e-mail and keeps no draft of it. To try again, repeat the call with a new idempotency_key.',
} as const;

/**
 * The result of a call that opened or repeated a submission.
 *
 * @param againIn the seconds after which a repetition resolves an unknown outcome.
 */
export function describeSubmission(
  submission: StoredSubmission,
  key: string,
  againIn: number,
): EmailSubmission {
  const { outcome, sender_id, sender_type, recipient_count } = submission;
  return {
    integration: 'mail_suite',
    action: 'create_draft',
    status: outcome,
    ...(outcome === 'drafted' ? { draft_id: submission.draft_id, draft_url: submission.draft_url } : {}),
    sender_id,
    sender_type,
    recipientCount: recipient_count,
    idempotency_key: key,
    graph_correlation: outcome === 'unknown' ? undefined : submission.correlation,
    next: outcome === 'drafted' ? undefined : nextSteps[outcome](againIn),
  };
}

/**
 * An attempt as an entry of the history. An unknown outcome counts as failed, and `view.outcome` says `unknown`; a retry
 * that finds the draft makes the same entry `ok`. Attempt and request id are those of its event.
 *
 * @param viewerId the Member who sees it; other Members cannot open the draft's link.
 */
export function describeAttempt(attempt: StoredAttempt, viewerId: string): SendHistoryEntry {
  const draft = attempt.outcome === 'drafted' ? attempt : undefined;
  const settled = attempt.outcome === 'drafted' || attempt.outcome === 'failed' ? attempt.settled : undefined;
  const origin = settled?.[attempt.outcome as keyof typeof settled] ?? attempt.origin;
  return {
    operation_id: sendEmail.id as SendHistoryEntry['operation_id'],
    actor_user_id: attempt.user_id,
    workspace_id: attempt.workspace_id,
    logged_at: attempt.logged_at.toISOString(),
    status: statusOf(attempt),
    operation_approval_id: origin.approval_id,
    routine_grant_id: attempt.routine_grant_id,
    automation_grant_id: attempt.automation_grant_id,
    view: {
      attempt_id: attempt._id,
      request_id: origin.request_id,
      outcome: attempt.outcome,
      error_code: attempt.outcome === 'denied' ? attempt.error_code : undefined,
      sender_id: attempt.sender_id,
      sender_type: attempt.sender_type,
      recipient_count: attempt.recipient_count,
      subject: attempt.subject,
      draft_id: draft?.draft_id,
      draft_url: attempt.user_id === viewerId ? draft?.draft_url : undefined,
      operation_grant_id: attempt.operation_grant_id,
    },
  };
}

function statusOf({ outcome }: StoredAttempt): SendHistoryEntry['status'] {
  if (outcome === 'drafted') return 'ok';
  return outcome === 'denied' ? 'denied' : 'failed';
}
