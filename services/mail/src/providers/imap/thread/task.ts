import type { LookupAddress } from 'node:dns';
import type { mailProviders } from '@action-platform/contracts/calls';
import type { z } from 'zod';

/** The settings of an IMAP mailbox. */
export type ImapSettings = z.output<typeof mailProviders.imap.settings>;

/** The mailbox of a session, as its thread needs it. */
export interface ServedMailbox {
  readonly email: string;
  readonly settings: ImapSettings;
  readonly secret: string;
  /** The addresses of the server, checked for a mailbox of a Member: a thread resolves no name. */
  readonly addresses: readonly LookupAddress[];
}

/** The work of one session. */
export type SessionWork =
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'find_draft'; readonly marker: string }
  | { readonly kind: 'create_draft'; readonly message: Uint8Array; readonly date: Date };

/** The memory that a thread shares with its process. */
export interface SharedMemory {
  /** The id that the kernel has for the thread: 0 before it has started, -1 where threads have no priority of their own. */
  readonly kernelId: Int32Array;
  /** See `Beginning`. */
  readonly beginning: Int32Array;
}

/** The message to a thread. */
export interface SessionTask {
  readonly mailbox: ServedMailbox;
  readonly work: SessionWork;
}

/** The message of a thread about the end of a session. Errors lose their class in the transfer, so a failure travels as its fields. */
export type SessionOutcome =
  | { readonly kind: 'done'; readonly isFound: boolean }
  | { readonly kind: 'sign_in_refused'; readonly message: string }
  | { readonly kind: 'mail_unavailable'; readonly retryAfterSeconds: number }
  /** The session ended before its work began. */
  | { readonly kind: 'unreachable'; readonly code: string }
  | { readonly kind: 'no_drafts_folder' }
  | { readonly kind: 'draft_refused' }
  | { readonly kind: 'failed'; readonly code: string };
