import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** A counted run: an entry of its grant's run log, whose numbers have no gap and whose times never decrease. */
export interface StoredRun {
  readonly grant_id: string;
  /** The Member of the grant; absent in a run that a version without these fields counted, which is erased with its grant. */
  readonly workspace_id?: string;
  readonly user_id?: string;
  /** The number of the entry, from 1, unique in the log. */
  readonly seq: number;
  readonly invocation_id: string;
  /** The time of counting, by the clock of the database; never earlier than that of the previous entry. */
  readonly at: Date;
  /** The time from which the database may delete the entry (TTL index). */
  readonly expires_at: Date;
}

/** The runs, with an index for each query. A run may outlive its grant. */
export const storedRuns: StoredDocuments<StoredRun> = {
  collection: 'runs',
  shardKey: 'grant_id',
  indexes: [
    { name: 'log', key: { grant_id: 1, seq: 1 }, unique: true },
    { name: 'counted', key: { grant_id: 1, invocation_id: 1, at: 1 } },
    { name: 'member', key: { workspace_id: 1, user_id: 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
};
