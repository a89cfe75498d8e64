import type { Origin } from '@action-platform/contracts/calls';
import type { ErrorCode } from '@action-platform/contracts/errors';
import type { ProviderCorrelation } from '@action-platform/contracts/operations';
import { byMember, byWorkspace, type StoredDocuments, type StoredLease } from '@action-platform/mongo';
import type { DraftMailbox, SenderType } from '../senders/sender.ts';

const DAY_MS = 86_400_000;

/** The time until the database deletes an attempt, in milliseconds. */
export const retention = {
  /** Longer than the lifetime of any grant, so that no job reuses a key that was deleted. */
  submissionMs: 400 * DAY_MS,
  /** No key depends on a denial; only people who investigate read it. */
  denialMs: 90 * DAY_MS,
  /** How long the history lists an attempt. */
  listedMs: 90 * DAY_MS,
} as const;

/** The fields that every entry of the history has: never a body, a recipient or a key. */
export interface Attempt {
  readonly workspace_id: string;
  readonly user_id: string;
  /** The routine grant of a scheduled call. */
  readonly routine_grant_id?: string | undefined;
  /** The grant of an agent. */
  readonly automation_grant_id?: string | undefined;
  readonly operation_grant_id?: string | undefined;
  /** The sender that the call named, whether or not it may use it; of a submission the resolved sender. */
  readonly sender_id?: string | undefined;
  readonly sender_type?: SenderType | undefined;
  readonly recipient_count: number;
  readonly subject: string;
  /** Where the attempt came from. */
  readonly origin: Origin;
}

interface Logged {
  /** `att_…` */
  readonly _id: string;
  readonly logged_at: Date;
  /** When the database deletes it (TTL index). */
  readonly expires_at: Date;
}

/** An attempt that a rule denied. */
export interface StoredDenial extends Attempt, Logged {
  readonly outcome: 'denied';
  readonly error_code: ErrorCode;
}

/** An e-mail that was accepted for drafting, with its idempotency key as a marker. */
export interface AcceptedEmail extends Attempt {
  readonly sender_id: string;
  readonly sender_type: SenderType;
  /** A hash of the idempotency key and its scope, unique in the Workspace. The draft carries it at the provider. */
  readonly marker: string;
  /** SHA-256 of the input, which tells a repetition from another use of the key. */
  readonly fingerprint: string;
  /** The mailbox of the draft as it was then, also for a retry after the sender has changed. */
  readonly mailbox: DraftMailbox;
}

/** The outcome of a submission. */
export type SubmissionOutcome =
  | {
      readonly outcome: 'drafted';
      readonly draft_id: string;
      readonly draft_url?: string | undefined;
      readonly correlation?: ProviderCorrelation | undefined;
    }
  | { readonly outcome: 'failed'; readonly correlation?: ProviderCorrelation | undefined };

/** Why the outcome of a submission stays unknown after a call. */
export interface Unresolved {
  readonly outcome: 'unknown';
  /**
   * `unclear`: an attempt may have made the draft. `sign_in_refused`: the mail system refuses the account. `no_access`: the account was
   * deleted, or this deployment cannot read its secret or has no such provider.
   */
  readonly reason: 'unclear' | 'sign_in_refused' | 'no_access';
  /** The seconds after which a repetition may resolve the outcome. */
  readonly againIn: number;
}

/** The call that settled a submission, and when: a later call than the first one, when the outcome was unknown. */
export interface Settlement extends Origin {
  readonly at: Date;
}

/**
 * The submission of an e-mail, which is also its entry in the history: one write settles both. Its outcome is `unknown` from
 * before the call of the provider until the draft is confirmed or refused.
 */
export type StoredSubmission = AcceptedEmail &
  Logged &
  (SubmissionOutcome | { readonly outcome: 'unknown' }) & {
    /** The attempt that alone may create the draft. */
    readonly lease?: StoredLease;
    /** The settlement of each outcome: `drafted` may come after `failed`. */
    readonly settled?: Readonly<Partial<Record<SubmissionOutcome['outcome'], Settlement>>>;
  };

/** The stored form of an attempt to draft an e-mail. */
export type StoredAttempt = StoredDenial | StoredSubmission;

/** The attempts, with the indexes that keep markers unique, count, and list the history by time. */
export const storedAttempts: StoredDocuments<StoredAttempt> = {
  collection: 'attempts',
  shardKey: 'workspace_id',
  indexes: [
    {
      name: 'marker',
      key: { workspace_id: 1, marker: 1 },
      unique: true,
      partialFilterExpression: { marker: { $exists: true } },
    },
    // For the limits of a day.
    { name: 'workspace_by_outcome', key: { workspace_id: 1, outcome: 1, logged_at: 1 } },
    { name: 'workspace_by_time', key: { workspace_id: 1, logged_at: -1, _id: -1 } },
    { name: 'member_by_time', key: { workspace_id: 1, user_id: 1, logged_at: -1, _id: -1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
  exported: {
    type: 'email',
    order: { logged_at: -1, _id: -1 },
    data: ({ _id, logged_at, user_id, sender_id, recipient_count, subject, outcome }) => ({
      id: _id,
      logged_at,
      user_id,
      sender_id,
      recipient_count,
      subject,
      outcome,
    }),
  },
};
