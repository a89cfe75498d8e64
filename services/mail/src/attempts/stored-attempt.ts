import type { ErrorCode, ProviderCorrelation } from '@action-platform/contracts';
import type { StoredLease } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';
import type { SenderType } from '../senders/sender.ts';

const DAY_MS = 86_400_000;

/** How long an attempt is kept, in milliseconds. */
export const retention = {
  /** Longer than any grant lives, so that a job cannot come back to a key that was forgotten. */
  submissionMs: 400 * DAY_MS,
  /** No key depends on a refusal; it is kept for people who look into it. */
  denialMs: 90 * DAY_MS,
} as const;

/** Who attempted what: what every entry of the history tells. Never a body, a recipient or a key. */
export interface Attempt {
  readonly workspace_id: string;
  readonly user_id: string;
  /** The routine grant of a scheduled call. */
  readonly routine_grant_id?: string | undefined;
  readonly operation_grant_id?: string | undefined;
  /** The sender that was named, whether or not the caller may use it; of a submission the one that it came to. */
  readonly sender_id?: string | undefined;
  readonly sender_type?: SenderType | undefined;
  readonly recipient_count: number;
  readonly subject: string;
}

interface Logged {
  /** `att_…` */
  readonly _id: string;
  readonly logged_at: Date;
  /** When the database forgets it. */
  readonly expires_at: Date;
}

/** An attempt that a rule refused. */
export interface StoredDenial extends Attempt, Logged {
  readonly outcome: 'denied';
  readonly error_code: ErrorCode;
}

/** The mailbox that a sender stood for when its e-mail was accepted. */
export interface DraftMailbox {
  /** The provider that keeps its drafts. */
  readonly provider: string;
  readonly email: string;
  readonly display_name: string;
}

/** An e-mail that was accepted for drafting: what its idempotency key names. */
export interface AcceptedEmail extends Attempt {
  readonly sender_id: string;
  readonly sender_type: SenderType;
  /** Stands for the idempotency key and whose it is; unique in the Workspace. The provider's draft carries it. */
  readonly marker: string;
  /** SHA-256 of what was asked, by which a repetition is told from another use of the key. */
  readonly fingerprint: string;
  /** Where the draft goes, also for a retry, whatever became of the sender since. */
  readonly mailbox: DraftMailbox;
}

/** How the submission of an e-mail ended. */
export type SubmissionOutcome =
  | {
      readonly outcome: 'drafted';
      readonly draft_id: string;
      readonly draft_url?: string | undefined;
      readonly correlation?: ProviderCorrelation | undefined;
    }
  | { readonly outcome: 'failed'; readonly correlation?: ProviderCorrelation | undefined };

/**
 * The submission of an e-mail, which is at once its entry in the history: one write settles both. It is `unknown` from
 * before the provider is asked until it is known what became of the draft.
 */
export type StoredSubmission = AcceptedEmail &
  Logged &
  (SubmissionOutcome | { readonly outcome: 'unknown' }) & {
    /** Who alone may create the draft. */
    readonly lease?: StoredLease;
  };

/** What is kept of every attempt to draft an e-mail. */
export type StoredAttempt = StoredDenial | StoredSubmission;

/** The attempts, with the indexes that keep a key unique, find it, and list the history by time. */
export async function openAttempts(db: Db): Promise<Collection<StoredAttempt>> {
  const attempts = db.collection<StoredAttempt>('attempts');
  await attempts.createIndexes([
    {
      name: 'marker',
      key: { workspace_id: 1, marker: 1 },
      unique: true,
      partialFilterExpression: { marker: { $exists: true } },
    },
    // How many were submitted or refused in the last hours.
    { name: 'workspace_by_outcome', key: { workspace_id: 1, outcome: 1, logged_at: 1 } },
    { name: 'workspace_by_time', key: { workspace_id: 1, logged_at: -1, _id: -1 } },
    { name: 'member_by_time', key: { workspace_id: 1, user_id: 1, logged_at: -1, _id: -1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
  return attempts;
}
