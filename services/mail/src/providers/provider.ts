import type { ProviderCorrelation } from '@action-platform/contracts/operations';
import type { DestinationCheck } from '@action-platform/outbound-http';
import type { z } from 'zod';
import type { DraftMessage } from '../messages/rfc5322.ts';

/** The settings of a mailbox, as its provider declares them (`mailProviders` in the contracts). */
export type Settings = Readonly<Record<string, string | number | boolean | undefined>>;

/** The account of a mailbox: where it is and how to sign in. */
export interface Account<Own extends Settings = Settings> {
  readonly accountId: string;
  readonly workspaceId: string;
  /** The address of the mailbox. */
  readonly email: string;
  readonly settings: Own;
  /** Decrypted for this call; undefined for a provider that needs none. */
  readonly secret: string | undefined;
  /** The same for a secret and for those that replace it by `replaceSecret`. */
  readonly secretId?: string | undefined;
  /** Keeps the secret that the provider replaced this one with, unless the account has another one by now. */
  readonly replaceSecret?: ((secret: string) => Promise<void>) | undefined;
  /** The check of its server, which a Member named; absent when an operator did. */
  readonly destination?: DestinationCheck | undefined;
}

/** A draft at the provider. */
export interface Draft {
  /** The same from its creation, every search and every replay, also when a person has moved the draft. */
  readonly draftId: string;
  /** The URL at which the caller opens it, if the provider has one. */
  readonly draftUrl?: string;
  readonly correlation?: ProviderCorrelation;
}

/**
 * A mail system that keeps drafts. The rules of senders, keys and history are not its concern.
 *
 * Each call gets a signal: once it has aborted, the provider begins no further step, closes its connection and rejects with
 * its reason, or with `MailUnavailable` when nothing was done. An error tells its outcome: `DraftRefused`,
 * `SignInRefused`, `MailUnavailable`, and after every other one nobody knows whether the draft exists.
 */
export interface MailProvider<Own extends Settings = Settings> {
  /** The provider's name for operators. */
  readonly name: string;
  /**
   * Whether `createDraft` is atomic by marker: of concurrent calls with one marker, one creates the draft and all return it.
   * For other providers the platform lets one attempt at a time create.
   */
  readonly createsOnce: boolean;
  /** How many attempts of this process may use an account at once; any number by default. */
  readonly attemptsAtOnce?: number;
  /**
   * How long `findDraft` may miss a draft whose creation has ended, in milliseconds; 0 by default. For so much longer no other
   * attempt creates a draft after an unclear one.
   */
  readonly foundWithinMs?: number;
  /** The settings of a mailbox: a strict object, which refuses unknown options and those of other providers. */
  readonly settings: z.ZodType<Own>;
  /** Whether signing in needs a secret. */
  readonly needsSecret: boolean;
  /** Signs in once, and checks that drafts can be kept. Rejects with SignInRefused. */
  signIn(account: Account<Own>, signal: AbortSignal): Promise<void>;
  /**
   * The draft that carries a marker. `findDraft` must find every draft whose creation has ended, `foundWithinMs` later,
   * and rejects when it cannot tell.
   */
  findDraft(account: Account<Own>, marker: string, signal: AbortSignal): Promise<Draft | undefined>;
  /**
   * Keeps a message as a draft that carries its marker, and never sends it. The messages of one submission are equal to
   * the byte. `createDraft` rejects with DraftRefused when it definitely keeps no draft and only a person can decide to
   * try again.
   */
  createDraft(account: Account<Own>, message: DraftMessage, signal: AbortSignal): Promise<Draft>;
  /**
   * Looks again after a creation that followed an unclear attempt, whose draft may have arrived meanwhile: `keepOne` keeps one of the two
   * and returns it. A provider that is atomic by marker has no use for it.
   */
  keepOne?(account: Account<Own>, created: Draft, marker: string, signal: AbortSignal): Promise<Draft>;
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

/** The provider refuses the account: nothing was drafted. The message is one plain line for operators, without a secret. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/**
 * The refusal of a server that a Member named and that did not answer as one. `NO_MAIL_SERVER` does not tell a closed port from a silent
 * host, so nobody learns what else runs there.
 */
export const NO_MAIL_SERVER = 'host: no mail server with TLS answers there.';

/** The provider has no capacity at present, or cannot be reached: nothing was drafted, and a later call may succeed. */
export class MailUnavailable extends Error {
  /** When to try again. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, options: { cause?: unknown } = {}) {
    super('The mail provider has no capacity at present, or cannot be reached.', options);
    this.name = 'MailUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The providers that this process can use, by name. */
export type MailProviders = ReadonlyMap<string, MailProvider>;
