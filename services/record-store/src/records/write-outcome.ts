import type { StoredRecord } from '@action-platform/contracts';

/** What came of a write. */
export interface WriteOutcome {
  readonly record: StoredRecord;
  /** Whether this repeats the first outcome of the idempotency key. */
  readonly isReplay: boolean;
}
