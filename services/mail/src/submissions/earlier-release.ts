import { hash } from 'node:crypto';
import type { Principal, Timed } from '@action-platform/contracts';
import type { Attempts } from '../attempts/attempts.ts';
import type { DraftMailbox, StoredSubmission } from '../attempts/stored-attempt.ts';
import { type Senders, viewerOf } from '../senders/senders.ts';
import { type EmailInput, markerOf } from './submission-key.ts';

/*
 * How retries are answered of e-mails that a release before December 2026 accepted. Such a submission has no `mailbox`,
 * its fingerprint was made from the sender that it came to, and the key of a run was the Member's, not the grant's. The
 * database forgets the last of them 400 days after the upgrade (`retention.submissionMs`); then this file can go.
 */

/** The submission that an earlier release opened for this run of this very grant. */
export async function findEarlierRun(
  attempts: Attempts,
  input: EmailInput,
  { workspaceId, userId, routine }: Principal,
  timed: Timed,
): Promise<StoredSubmission | null> {
  if (routine === undefined || input.idempotency_key !== undefined) return null;
  const marker = markerOf(workspaceId, userId, routine.invocationId);
  const found = await attempts.find(workspaceId, marker, timed);
  // The marker may also be that of a key which somebody chose, or of another routine of the Member.
  return found?.mailbox === undefined && found?.routine_grant_id === routine.id ? found : null;
}

/** Whether a call asks for the e-mail of a submission that an earlier release opened. */
export function isEarlierEmail({ sender_id, fingerprint }: StoredSubmission, input: EmailInput): boolean {
  const { to, cc = [], subject, body, output_definition = null } = input;
  const meant = input.sender_id ?? sender_id;
  const said = JSON.stringify([to, cc, subject, body, meant, output_definition]);
  return hash('sha256', said, 'base64url') === fingerprint;
}

/** The mailbox of a submission that an earlier release opened, as far as the Member still sees its sender. */
export async function findEarlierMailbox(
  senders: Senders,
  { sender_id }: StoredSubmission,
  principal: Principal,
  timed: Timed,
): Promise<DraftMailbox | undefined> {
  const visible = await senders.visibleTo(viewerOf(principal), timed);
  const sender = visible.find(({ senderId }) => senderId === sender_id);
  if (sender === undefined) return undefined;
  return { provider: sender.provider, email: sender.email, display_name: sender.displayName };
}
