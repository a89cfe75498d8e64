import { hash } from 'node:crypto';
import type { Principal, sendEmail } from '@action-platform/contracts';
import type { z } from 'zod';

/** The input of mail.send_email. */
export type EmailInput = z.output<typeof sendEmail.input>;

/** The key of a submission: the caller's, else the run of the job that makes it, else the request. */
export function keyOf(input: EmailInput, principal: Principal, requestId: string): string {
  return input.idempotency_key ?? principal.routine?.invocationId ?? requestId;
}

/** What stands for a key of an acting Member wherever a draft is kept: 64 hexadecimal digits, from which the key cannot be read. */
export function markerOf({ workspaceId, userId }: Principal, key: string): string {
  return hash('sha256', JSON.stringify([workspaceId, userId, key]), 'hex');
}

/**
 * SHA-256 of what makes an e-mail the same one: recipients in their order, subject, body, the sender (whether it was
 * named or is the default) and the output definition. No cc and an empty cc are the same; the deprecated fields are
 * without meaning.
 */
export function fingerprintOf(input: EmailInput, senderId: string): string {
  const { to, cc = [], subject, body, output_definition = null } = input;
  return hash('sha256', JSON.stringify([to, cc, subject, body, senderId, output_definition]), 'base64url');
}
