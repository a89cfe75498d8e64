import type { ProviderCorrelation } from '@action-platform/contracts';
import type { DraftMessage } from '../messages/rfc5322.ts';

/** The mailbox of a draft. */
export interface Mailbox {
  readonly workspaceId: string;
  /** The acting Member's connection of the mail suite, verified for this call; it also leads to shared mailboxes. */
  readonly connectionId: string | undefined;
  /** The address of the mailbox. */
  readonly email: string;
}

/** A draft at the provider. */
export interface Draft {
  readonly draftId: string;
  /** The URL at which the caller opens it, if the provider has one. */
  readonly draftUrl?: string;
  readonly correlation?: ProviderCorrelation;
}

/**
 * A mail system that keeps drafts. The rules of senders, keys and history are not its concern.
 *
 * Both calls get a signal: once it has aborted, the provider begins no further step and rejects with its reason.
 */
export interface MailProvider {
  /** Its name for operators. */
  readonly name: string;
  /**
   * Whether `createDraft` is atomic by marker: of concurrent calls with one marker, one creates the draft and all return it.
   * For other providers the platform lets one attempt at a time create.
   */
  readonly createsOnce: boolean;
  /**
   * The draft that carries a marker. It must find every draft whose creation has ended, and rejects when it cannot tell.
   */
  findDraft(mailbox: Mailbox, marker: string, signal: AbortSignal): Promise<Draft | undefined>;
  /**
   * Keeps a message as a draft that carries its marker, and never sends it. It rejects with `DraftRefused` when it
   * definitely keeps no draft and only a person can decide to try again, and with another error when it cannot tell.
   */
  createDraft(mailbox: Mailbox, message: DraftMessage, signal: AbortSignal): Promise<Draft>;
}

/** The provider definitely keeps no draft: it refused the message, or has no room or permission for it. */
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
