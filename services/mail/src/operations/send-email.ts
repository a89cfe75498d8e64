import { ActionError, sendEmail } from '@action-platform/contracts';
import { type OperationContext, type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Attempt } from '../attempts/attempt-document.ts';
import type { MailParts } from '../mail-parts.ts';
import { meantSender, requireSender } from '../senders/choose-sender.ts';
import type { Sender } from '../senders/sender.ts';
import { describeSubmission } from '../submissions/describe.ts';
import { type EmailInput, fingerprintOf, keyOf, markerOf } from '../submissions/identity.ts';
import { type Order, submit } from '../submissions/submit.ts';

/** mail.send_email */
export function serveSendEmail(parts: MailParts): ServedOperation {
  return serveOperation(sendEmail, async (input, context) => {
    const { principal } = context;
    const sender = meantSender(await parts.senders.authorizedFor(principal), input.sender_id);
    const attempt = attemptOf(input, context, sender);
    try {
      const key = keyOf(input, principal, context.requestId);
      const order = orderOf(parts, input, context, { sender, attempt, key });
      const { submission, isReplay } = await submit(parts, order, context);
      if (isReplay) context.markReplayed();
      return describeSubmission(submission, key);
    } catch (error) {
      // Every refusal is in the history before it is answered.
      if (error instanceof ActionError) await parts.attempts.deny(attempt, error.code);
      throw error;
    }
  });
}

function attemptOf(input: EmailInput, { principal }: OperationContext, sender: Sender | undefined): Attempt {
  return {
    workspace_id: principal.workspaceId,
    user_id: principal.userId,
    routine_grant_id: principal.routine?.id,
    operation_grant_id: principal.operationGrantId,
    sender_id: sender?.senderId ?? input.sender_id,
    sender_type: sender?.type,
    recipient_count: input.to.length + (input.cc?.length ?? 0),
    subject: input.subject,
  };
}

/** The e-mail to submit, once the rules allow it; otherwise the ActionError of the first rule that does not. */
function orderOf(
  { providers }: MailParts,
  input: EmailInput,
  { principal }: OperationContext,
  call: { sender: Sender | undefined; attempt: Attempt; key: string },
): Order {
  const sender = requireSender(call.sender, { senderId: input.sender_id, principal, providers });
  if (principal.routine !== undefined && input.output_definition === undefined) {
    throw new ActionError('mail_output_definition_required');
  }
  const { workspaceId, connections } = principal;
  const marker = markerOf(principal, call.key);
  return {
    email: {
      ...call.attempt,
      sender_id: sender.senderId,
      sender_type: sender.type,
      marker,
      fingerprint: fingerprintOf(input, sender.senderId),
    },
    message: {
      marker,
      from: { name: sender.displayName, address: sender.email },
      to: input.to,
      cc: input.cc ?? [],
      subject: input.subject,
      body: input.body,
      date: new Date(),
    },
    mailbox: { workspaceId, connectionId: connections.mail_suite, email: sender.email },
    provider: providers.get(sender.provider)!,
  };
}
