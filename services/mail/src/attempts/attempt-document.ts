import type { ErrorCode, ProviderCorrelation } from '@action-platform/contracts';
import type { SenderType } from '../senders/sender.ts';

/** Who attempted what: what every entry of the history tells. Never a body, a recipient or a key. */
export interface Attempt {
  readonly workspace_id: string;
  readonly user_id: string;
  /** The routine grant of a scheduled call. */
  readonly routine_grant_id?: string | undefined;
  readonly operation_grant_id?: string | undefined;
  /** The sender that was named, whether or not the caller may use it. */
  readonly sender_id?: string | undefined;
  readonly sender_type?: SenderType | undefined;
  readonly recipient_count: number;
  readonly subject: string;
}

interface Logged {
  /** A UUIDv7 (RFC 9562, section 5.7), by which the history is sorted. */
  readonly _id: string;
  readonly logged_at: Date;
  /** When the database forgets it. */
  readonly expires_at: Date;
}

/** An attempt that a rule refused. */
export interface Denial extends Attempt, Logged {
  readonly outcome: 'denied';
  readonly error_code: ErrorCode;
}

/** An e-mail that was accepted for drafting: what its idempotency key names. */
export interface SubmittedEmail extends Attempt {
  readonly sender_id: string;
  readonly sender_type: SenderType;
  /** Stands for the acting Member and the idempotency key; unique in the Workspace. The provider's draft carries it. */
  readonly marker: string;
  /** SHA-256 of what the e-mail says, by which a repetition is told from another use of the key. */
  readonly fingerprint: string;
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
export type Submission = SubmittedEmail &
  Logged &
  (SubmissionOutcome | { readonly outcome: 'unknown' }) & {
    /** Who alone may create the draft, and until when nobody else may take that over. */
    readonly lease?: { readonly owner: string; readonly until: Date };
  };

/** What the service keeps of every attempt to draft an e-mail. */
export type AttemptDocument = Denial | Submission;
