import type { MailProvider } from '../providers/provider.ts';

/** A mail system in which the tests of every provider keep the mailboxes of their Members. */
export interface MailSystemFixture {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Its provider, for a service whose folder of local drafts this is. */
  open(folder: string): Promise<MailProvider>;
  /** The options that connect the mailbox of an address in a Workspace. The mailbox is there and empty. */
  mailbox(workspaceId: string, email: string): MailboxOptions;
  /** All drafts in the mailboxes of a Workspace, read in another way than the provider's. */
  drafts(workspaceId: string): Promise<KeptDraft[]>;
  /** Whether all of concurrent calls with one key answer with the draft. */
  readonly createsOnce?: true;
  /** The URL of drafts; undefined for a provider without URLs. */
  readonly draftUrl?: RegExp;
}

/** The options of a mailbox. */
interface MailboxOptions {
  readonly provider: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly secret?: string;
}

/** A draft in a mail system. */
interface KeptDraft {
  /** As the provider names it. */
  readonly id: string;
  /** The message (RFC 5322). */
  readonly message: Buffer;
}
