import type { Database } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { AttemptDocument, Submission } from '../attempts/attempt-document.ts';
import type { MailboxDocument } from '../senders/mailbox-document.ts';
import type { SharedMailboxDocument } from '../senders/shared-mailbox-document.ts';

/** What the service keeps in its database. */
export interface Documents {
  readonly mailboxes: Collection<MailboxDocument>;
  readonly sharedMailboxes: Collection<SharedMailboxDocument>;
  readonly attempts: Collection<AttemptDocument>;
  /** The same collection as `attempts`, for queries that name a marker or an outcome and so find submissions only. */
  readonly submissions: Collection<Submission>;
}

/**
 * Makes the database ready for use: the indexes that do not exist yet are created, and every query of the service uses
 * one of them or the index on `_id`. `workspace_id` leads and is in every filter, as it would lead a shard key.
 */
export async function openDocuments({ db }: Database): Promise<Documents> {
  const documents: Documents = {
    mailboxes: db.collection('mailboxes'),
    sharedMailboxes: db.collection('shared_mailboxes'),
    attempts: db.collection('attempts'),
    submissions: db.collection('attempts'),
  };
  await documents.sharedMailboxes.createIndex({ workspace_id: 1, address: 1 }, { unique: true });
  await documents.attempts.createIndexes([
    {
      name: 'marker',
      key: { workspace_id: 1, marker: 1 },
      unique: true,
      partialFilterExpression: { marker: { $exists: true } },
    },
    { name: 'workspace', key: { workspace_id: 1, _id: -1 } },
    { name: 'member', key: { workspace_id: 1, user_id: 1, _id: -1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
  return documents;
}
