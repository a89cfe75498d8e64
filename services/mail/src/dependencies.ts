import type { Accounts } from './accounts/accounts.ts';
import type { Attempts } from './attempts/attempts.ts';
import type { MailProviders } from './providers/provider.ts';
import type { Senders } from './senders/senders.ts';
import type { Submissions } from './submissions/submissions.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly providers: MailProviders;
  readonly accounts: Accounts;
  readonly senders: Senders;
  readonly attempts: Attempts;
  readonly submissions: Submissions;
}
