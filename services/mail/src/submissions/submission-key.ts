import { hash } from 'node:crypto';
import { jobOf, type Principal } from '@action-platform/contracts/authority';
import type { sendEmail } from '@action-platform/contracts/operations';
import type { z } from 'zod';

/** The input of mail.send_email. */
export type EmailInput = z.output<typeof sendEmail.input>;

/** The idempotency key of a call. */
export interface SubmissionKey {
  /** As the caller knows it. */
  readonly key: string;
  /** A hash of the key and its scope, 64 hexadecimal digits, that the draft carries at the provider. */
  readonly marker: string;
}

/**
 * The key that the caller chose, else the run of the job that calls, else the request. The scope of a key is the routine grant
 * of a job, and for every other caller the Member in the Workspace: a job neither finds nor completes the submission of a person.
 */
export function submissionKey(input: EmailInput, principal: Principal, requestId: string): SubmissionKey {
  const { workspaceId, userId } = principal;
  const job = jobOf(principal);
  const key = input.idempotency_key ?? job?.invocationId ?? requestId;
  const scope = job === undefined ? [workspaceId, userId] : [workspaceId, userId, job.id];
  return { key, marker: hash('sha256', JSON.stringify([...scope, key]), 'hex') };
}

/**
 * SHA-256 of a call's input: recipients in their order, subject, body, sender and output definition if given. `emailFingerprint` excludes
 * the resolved sender, which may be another one at a retry, and the deprecated fields. No cc and an empty cc are equal. The fields have
 * this order and not that of `fingerprintOf`, because attempts are stored with it.
 */
export function emailFingerprint(input: EmailInput): string {
  const { to, cc = [], subject, body, sender_id, output_definition } = input;
  const submitted = { to, cc, subject, body, sender_id, output_definition };
  return hash('sha256', JSON.stringify(submitted), 'base64url');
}
