import { mailProviders } from '@action-platform/contracts/calls';
import type { DraftMessage } from '../messages/rfc5322.ts';
import {
  type Account,
  type Draft,
  DraftRefused,
  type MailProvider,
  SignInRefused,
} from '../providers/provider.ts';

/** The end of an attempt: its process ends before or after the draft is made, or the mail system refuses the draft. */
export type Fault = 'dies before' | 'dies after' | 'is refused';

interface KeptDraft {
  readonly account: Pick<Account, 'accountId' | 'workspaceId'>;
  readonly message: DraftMessage;
}

/** A mail system in memory, which the replicas of a test share. `TestMailSystem` finds drafts by their marker. */
export class TestMailSystem {
  readonly drafts: KeptDraft[] = [];
  /** The ends of the next attempts to make a draft, in turn. */
  readonly faults: Fault[] = [];
  /** Whether a draft is made once for a marker; otherwise at every call. */
  readonly #createsOnce: boolean;
  /** The password of every mailbox that needs one. */
  password = 'SECRET-open sesame';
  /** The secrets that calls brought. */
  readonly seen: (string | undefined)[] = [];
  /** A sign-in with a password waits for this. */
  beforeSignIn = async (): Promise<void> => {};
  /** A search waits for this, and a creation for the next. */
  beforeFind = async (): Promise<void> => {};
  beforeCreate = async (): Promise<void> => {};

  constructor({ createsOnce = false } = {}) {
    this.#createsOnce = createsOnce;
  }

  /** The drafts of a Workspace. */
  draftsOf(workspaceId: string): DraftMessage[] {
    return this.drafts
      .filter(({ account }) => account.workspaceId === workspaceId)
      .map(({ message }) => message);
  }

  /** The provider of its mailboxes, with the options of this one. */
  provider(name: 'local' | 'imap'): MailProvider {
    const { settings, needsSecret } = mailProviders[name];
    const signIn = async ({ secret }: Account) => {
      if (!needsSecret) return;
      this.seen.push(secret);
      await this.beforeSignIn();
      if (secret !== this.password) throw new SignInRefused('The server refuses the login or the password.');
    };
    return {
      name,
      createsOnce: this.#createsOnce,
      settings,
      needsSecret,
      signIn,
      findDraft: async (account, marker, signal) => {
        await signIn(account);
        const found = this.#find(account, marker);
        await this.beforeFind();
        signal.throwIfAborted();
        return found;
      },
      createDraft: async (account, message, signal) => {
        await signIn(account);
        const fault = this.faults.shift();
        if (fault === 'is refused') throw new DraftRefused({ correlation: { http_status: 403 } });
        if (fault === 'dies before') throw new Error('killed');
        await this.beforeCreate();
        signal.throwIfAborted();
        const earlier = this.#createsOnce ? this.#find(account, message.marker) : undefined;
        const draft = earlier ?? draftNumber(this.drafts.push({ account, message }) - 1);
        if (fault === 'dies after') throw new Error('killed');
        return draft;
      },
    };
  }

  #find({ accountId }: Account, marker: string): Draft | undefined {
    const index = this.drafts.findIndex(
      ({ account, message }) => account.accountId === accountId && message.marker === marker,
    );
    return index === -1 ? undefined : draftNumber(index);
  }
}

function draftNumber(index: number): Draft {
  return {
    draftId: `draft-${index}`,
    draftUrl: `https://mail.example.com/drafts/${index}`,
    correlation: { graph_request_id: `request-${index}`, http_status: 201 },
  };
}
