import type { ProviderCorrelation } from '@action-platform/contracts';
import type { DraftMessage } from '../messages/rfc5322.ts';

/** Where a draft is to be kept. */
export interface Mailbox {
  readonly workspaceId: string;
  /** The acting Member's own connection of the mail suite, verified for this very call; shared mailboxes too are reached through it. */
  readonly connectionId: string | undefined;
  /** The address of the mailbox. */
  readonly email: string;
}

/** A draft that the provider keeps. */
export interface Draft {
  readonly draftId: string;
  /** Where the caller opens it; left out when they could not. */
  readonly draftUrl?: string;
  readonly correlation?: ProviderCorrelation;
}

/**
 * A mail system that keeps drafts. The rules (who may send as whom, one draft per key, history) are not its business.
 *
 * Both calls are made with a signal: once it has aborted, nothing more may be begun, and the call rejects with its reason.
 */
export interface MailProvider {
  /** What operators call it. */
  readonly name: string;
  /**
   * Whether `createDraft` is atomic by marker: however many callers use one marker at once, one draft comes to be, and
   * all of them are given it. For other providers the platform sees to it that one attempt at a time creates.
   */
  readonly createsOnce: boolean;
  /**
   * The draft that carries a marker. It must find every draft whose creation has ended. It rejects when that cannot be told.
   */
  findDraft(mailbox: Mailbox, marker: string, signal: AbortSignal): Promise<Draft | undefined>;
  /**
   * Keeps a message as a draft that carries its marker and never sends it. It rejects with `DraftRefused` when there is
   * definitely no draft and trying again is for people to decide, and with anything else when that cannot be told.
   */
  createDraft(mailbox: Mailbox, message: DraftMessage, signal: AbortSignal): Promise<Draft>;
}

/** The provider definitely did not keep the draft: it refused the message, or there is no room or permission for it. */
export class DraftRefused extends Error {
  readonly correlation: ProviderCorrelation | undefined;

  constructor(options: { cause?: unknown; correlation?: ProviderCorrelation } = {}) {
    super('The mail provider refused the draft.', { cause: options.cause });
    this.name = 'DraftRefused';
    this.correlation = options.correlation;
  }
}

/** The providers that this process can use, by name. */
export type MailProviders = ReadonlyMap<string, MailProvider>;
