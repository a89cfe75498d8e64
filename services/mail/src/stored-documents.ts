import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedAccounts } from './accounts/stored-account.ts';
import { storedAttempts } from './attempts/stored-attempt.ts';
import { storedAuthorizations } from './authorizations/stored-authorization.ts';
import { storedMailboxes, storedSharedMailboxes } from './senders/stored-mailbox.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedMailboxes,
  storedSharedMailboxes,
  storedAccounts,
  storedAuthorizations,
  storedAttempts,
  storedCheckpoint,
];
