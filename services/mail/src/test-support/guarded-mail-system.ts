import { mailProviders } from '@action-platform/contracts';
import { type MailProvider, SignInRefused } from '../providers/provider.ts';
import { RemoteMailSystem } from './remote-mail-system.ts';

/** A mail system with the options of IMAP that accepts one password at a time. */
export class GuardedMailSystem {
  readonly #drafts = new RemoteMailSystem();
  password = 'SECRET-open sesame';
  /** The secrets that sign-ins brought. */
  readonly seen: (string | undefined)[] = [];

  /** The provider of its mailboxes. */
  provider(): MailProvider {
    const check = async ({ secret }: { readonly secret: string | undefined }) => {
      this.seen.push(secret);
      if (secret !== this.password) throw new SignInRefused('The server refuses the login or the password.');
    };
    return {
      name: 'imap',
      createsOnce: false,
      ...mailProviders.imap,
      signIn: check,
      findDraft: (account, ...search) =>
        check(account).then(() => this.#drafts.findDraft(account, ...search)),
      createDraft: (account, ...message) =>
        check(account).then(() => this.#drafts.createDraft(account, ...message)),
    };
  }
}
