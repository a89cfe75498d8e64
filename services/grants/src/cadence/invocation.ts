/**
 * A run that was counted against the cadence of its grant. The invocations of a grant form a chain: `seq` goes
 * up by one and `at` never goes down. Its unique index on (grant_id, seq) is what makes counting exact: of all
 * the replicas that want to count the next run, one can.
 */
export interface Invocation {
  readonly grant_id: string;
  readonly seq: number;
  readonly invocation_id: string;
  /** When the run was counted, by the clock of the database. */
  readonly at: Date;
  /** When the database may delete the entry (TTL index): well after it left the window. */
  readonly expires_at: Date;
}
