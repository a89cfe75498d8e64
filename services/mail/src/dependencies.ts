import type { Bus } from '@action-platform/bus';
import type { Accounts } from './accounts/accounts.ts';
import type { Attempts } from './attempts/attempts.ts';
import type { Authorizations } from './authorizations/authorizations.ts';
import type { MailProviders } from './providers/provider.ts';
import type { Senders } from './senders/senders.ts';
import type { SharedMailboxes } from './senders/shared-mailboxes.ts';
import type { Submissions } from './submissions/submissions.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly bus: Bus;
  readonly providers: MailProviders;
  readonly accounts: Accounts;
  readonly authorizations: Authorizations;
  readonly senders: Senders;
  readonly shared: SharedMailboxes;
  readonly attempts: Attempts;
  readonly submissions: Submissions;
  /** Whether Members may keep drafts in the folder of the service: on the local stack alone. */
  readonly permitsLocal: boolean;
}
