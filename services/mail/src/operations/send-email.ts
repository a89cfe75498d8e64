import { busHeaders } from '@action-platform/contracts/bus';
import type { ErrorCode } from '@action-platform/contracts/errors';
import { sendEmail } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { describeSubmission } from '../attempts/describe-attempt.ts';
import type { Dependencies } from '../dependencies.ts';
import { attemptOf } from '../submissions/submissions.ts';

/** The refusals that are attempts: the rules of senders, output definition and data scope. */
const denials: ReadonlySet<ErrorCode> = new Set([
  'mail_sender_required',
  'mail_sender_not_authorized',
  'mail_sender_not_eligible',
  'mail_output_definition_required',
  'grant_data_scope_exceeded',
]);

/** `mail.send_email`: drafts, and never sends. A denial is in the history before it is answered. */
export function serveSendEmail({ submissions, attempts }: Dependencies): ServedCall {
  return serveOperation(
    sendEmail,
    async (input, context) => {
      const { submission, key, unresolved } = await submissions.submit(input, context);
      if (unresolved) context.addHeader(busHeaders.retryAfter, String(unresolved.againIn));
      return describeSubmission(submission, key, unresolved);
    },
    {
      observe: async ({ input, principal, origin, error }) => {
        if (error === undefined || !denials.has(error.code)) return;
        await attempts.deny(attemptOf(input!, principal!, origin), error.code);
      },
    },
  );
}
