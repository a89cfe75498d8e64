import type { EmailSubmission } from '@action-platform/contracts';
import type { Submission } from '../attempts/attempt-document.ts';

/** A submission as its caller sees it. */
export function describeSubmission(submission: Submission, key: string): EmailSubmission {
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
  };
}
