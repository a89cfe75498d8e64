import type { Collection, Db } from 'mongodb';

/**
 * A run that was counted against the cadence of its grant: an entry of the grant's run log, whose slots are numbered
 * without a gap and in order of time.
 */
export interface StoredRun {
  readonly grant_id: string;
  /** The number of its slot, from 1: of all the replicas that want to take the next slot, one can. */
  readonly seq: number;
  readonly invocation_id: string;
  /** When the run was counted, by the clock of the database; never earlier than the run before. */
  readonly at: Date;
  /** When the database may delete the entry (TTL index): well after it left the window. */
  readonly expires_at: Date;
}

/** The runs, with an index for every query there is. `grant_id` leads, as it would lead a shard key. */
export async function openRuns(db: Db): Promise<Collection<StoredRun>> {
  const runs = db.collection<StoredRun>('invocations');
  await runs.createIndexes([
    { name: 'chain', key: { grant_id: 1, seq: 1 }, unique: true },
    { name: 'counted', key: { grant_id: 1, invocation_id: 1, at: 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
  return runs;
}
