import {
  type EmailSubmission,
  type SendHistoryEntry,
  sendEmail,
} from '@action-platform/contracts/operations';
import type { StoredAttempt, StoredSubmission, Unresolved } from './stored-attempt.ts';

/** The next step of the caller after `failed`. */
const AFTER_FAILED =
  'The mail provider refused the e-mail and keeps no draft of it. To try again, repeat the call with a new idempotency_key.';

/** The next step of the caller after `unknown`, by its reason. */
const afterUnknown: Readonly<Record<Unresolved['reason'], (repetition: string) => string>> = {
  unclear: (repetition) => `${repetition}.`,
  sign_in_refused: (repetition) =>
    `The mail system refuses the sign-in to this mailbox. Connect the mailbox again first; an Owner connects a shared one. ${repetition}.`,
  no_access: (repetition) =>
    `This service has no access to the mailbox any more. Look in the mailbox: only a person can tell whether the draft is there. Or connect the same mailbox again first; an Owner connects a shared one. ${repetition}.`,
};

function stepAfterUnknown({ reason, againIn }: Unresolved): string {
  const seconds = `${againIn} second${againIn === 1 ? '' : 's'}`;
  const repetition = `Repeat the call with this idempotency_key in ${seconds}: it finds the draft or creates it, and never creates a second one`;
  return afterUnknown[reason](repetition);
}

/**
 * The result of a call that opened or repeated a submission.
 *
 * @param unresolved why the outcome is unknown; present when it is.
 */
export function describeSubmission(
  submission: StoredSubmission,
  key: string,
  unresolved?: Unresolved,
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
    next: outcome === 'failed' ? AFTER_FAILED : unresolved && stepAfterUnknown(unresolved),
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
