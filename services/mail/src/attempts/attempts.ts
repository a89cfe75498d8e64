import { randomUUIDv7 } from 'node:crypto';
import type { ErrorCode, Principal } from '@action-platform/contracts';
import { isDuplicateKey } from '@action-platform/mongo';
import type { Documents } from '../database/documents.ts';
import type {
  Attempt,
  AttemptDocument,
  Denial,
  Submission,
  SubmissionOutcome,
  SubmittedEmail,
} from './attempt-document.ts';
import { retention } from './retention.ts';

/** The longest history that is told. */
const HISTORY_LENGTH = 500;

/** All attempts to draft e-mails: the submissions by key, and the history, which is the same documents by time. */
export class Attempts {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Keeps that a rule refused an attempt. */
  async deny(attempt: Attempt, code: ErrorCode): Promise<void> {
    const denial: Denial = { ...attempt, ...logged(retention.denialMs), outcome: 'denied', error_code: code };
    await this.#documents.attempts.insertOne(denial);
  }

  /** The submission of a key: the first one that there was, or this one from now on. */
  async open(email: SubmittedEmail): Promise<{ submission: Submission; isNew: boolean }> {
    const submission: Submission = { ...email, ...logged(retention.submissionMs), outcome: 'unknown' };
    try {
      await this.#documents.attempts.insertOne(submission);
      return { submission, isNew: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const { workspace_id, marker } = email;
      const first = await this.#documents.submissions.findOne({ workspace_id, marker });
      // Its time may have come in between: then the error is all there is to say.
      if (first === null) throw error;
      return { submission: first, isNew: false };
    }
  }

  /**
   * Records how a submission ended, once: what was recorded first stays. Only that there is a draft also replaces a
   * failure, because it is a fact that a slower attempt brings.
   *
   * @returns the submission as it is recorded.
   */
  async settle({ _id, workspace_id }: Submission, outcome: SubmissionOutcome): Promise<Submission> {
    const replaceable: Submission['outcome'][] =
      outcome.outcome === 'drafted' ? ['unknown', 'failed'] : ['unknown'];
    const settled = await this.#documents.submissions.findOneAndUpdate(
      { _id, workspace_id, outcome: { $in: replaceable } },
      { $set: outcome, $unset: { lease: '' } },
      { returnDocument: 'after' },
    );
    if (settled !== null) return settled;
    const recorded = await this.#documents.submissions.findOne({ _id, workspace_id });
    if (recorded === null) throw new Error('a submission has disappeared');
    return recorded;
  }

  /** What a caller may see of the history, newest first: a Member their own attempts, an Owner the Workspace's. */
  async visibleTo({ workspaceId, userId, role, routine }: Principal): Promise<AttemptDocument[]> {
    // A grant's data scope is closed: of other senders a routine sees its own refused attempts at most.
    const scope =
      routine === undefined
        ? {}
        : { $or: [{ sender_id: { $in: routine.data.senderIds ?? [] } }, { routine_grant_id: routine.id }] };
    return await this.#documents.attempts
      .find({ workspace_id: workspaceId, ...(role === 'owner' ? {} : { user_id: userId }), ...scope })
      .sort({ _id: -1 })
      .limit(HISTORY_LENGTH)
      .toArray();
  }
}

function logged(keptForMs: number) {
  const now = Date.now();
  return { _id: randomUUIDv7(), logged_at: new Date(now), expires_at: new Date(now + keptForMs) };
}
