import { hash } from 'node:crypto';
import type { Principal, sendEmail } from '@action-platform/contracts';
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
 * of a job, and for every other caller the Member in the Workspace: a job neither meets nor completes what a person began.
 */
export function submissionKey(input: EmailInput, principal: Principal, requestId: string): SubmissionKey {
  const { workspaceId, userId, routine } = principal;
  const key = input.idempotency_key ?? routine?.invocationId ?? requestId;
  const scope = routine === undefined ? [workspaceId, userId] : [workspaceId, userId, routine.id];
  return { key, marker: hash('sha256', JSON.stringify([...scope, key]), 'hex') };
}

/**
 * SHA-256 of what a call asks: recipients in their order, subject, body, and sender and output definition as given or left
 * out. The resolved sender does not count, because it may be another one by the time of a retry. No cc and an empty cc are
 * equal, and the deprecated fields do not count.
 */
export function fingerprintOf(input: EmailInput): string {
  const { to, cc = [], subject, body, sender_id, output_definition } = input;
  const asked = { to, cc, subject, body, sender_id, output_definition };
  return hash('sha256', JSON.stringify(asked), 'base64url');
}
