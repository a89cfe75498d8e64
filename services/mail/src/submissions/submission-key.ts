import { hash } from 'node:crypto';
import type { Principal, sendEmail } from '@action-platform/contracts';
import type { z } from 'zod';

/** The input of mail.send_email. */
export type EmailInput = z.output<typeof sendEmail.input>;

/** The idempotency key of a call. */
export interface SubmissionKey {
  /** As the caller knows it. */
  readonly key: string;
  /**
   * What stands for the key and whose it is wherever a draft is kept: 64 hexadecimal digits, from which the key cannot
   * be read.
   */
  readonly marker: string;
}

/**
 * The key that the caller chose, else the run of the job that calls, else the request. Runs are told apart in the grant
 * of the job alone, everything else in the Member's Workspace.
 */
export function submissionKey(input: EmailInput, principal: Principal, requestId: string): SubmissionKey {
  const { workspaceId, userId, routine } = principal;
  if (input.idempotency_key === undefined && routine !== undefined) {
    const { id, invocationId } = routine;
    return { key: invocationId, marker: markerOf(workspaceId, userId, id, invocationId) };
  }
  const key = input.idempotency_key ?? requestId;
  return { key, marker: markerOf(workspaceId, userId, key) };
}

/** A marker from the names that a key has, the widest first. */
function markerOf(...names: string[]): string {
  return hash('sha256', JSON.stringify(names), 'hex');
}

/**
 * SHA-256 of what a call asks: recipients in their order, subject, body, and the sender and output definition as they
 * are given or left out. It does not depend on what they come to, which may be something else by the time of a retry. No
 * cc and an empty cc are the same; the deprecated fields are without meaning.
 */
export function fingerprintOf(input: EmailInput): string {
  const { to, cc = [], subject, body, sender_id, output_definition } = input;
  const asked = { to, cc, subject, body, sender_id, output_definition };
  return hash('sha256', JSON.stringify(asked), 'base64url');
}
