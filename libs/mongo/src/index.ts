export { batchedLookup } from './batching/batched-lookup.ts';
export { Batcher, type ItemOutcome } from './batching/batcher.ts';
export { type Database, openDatabase } from './database.ts';
export { isDatabaseAway, onceBack, togetherOrAlone } from './database-away.ts';
export {
  AUTHENTICATION_FAILED,
  DUPLICATE_KEY_CODE,
  isDuplicateKey,
  UNAUTHORIZED,
  unlessTaken,
  upsertAgain,
} from './errors.ts';
export { requireGuarded } from './guarded.ts';
export { insertEach } from './insert-each.ts';
export { Lease, type LeaseOptions, type Repeated, type StoredLease } from './lease.ts';
export { LeasedDocument, LeaseTaken } from './leased-document.ts';
export { freeSlot } from './limits/free-slot.ts';
export { hasRoom } from './limits/has-room.ts';
export { slotWithin } from './limits/slot-within.ts';
export { attemptDue, type MayGoOn, type RepeatedWork } from './repeated-work.ts';
export { initiate, replicaSet } from './replica-set.ts';
export { type Rounds, startRounds } from './rounds.ts';
export { type ErasedPart, type ErasureTarget, erasePart } from './stored/erase.ts';
export { exportFrom } from './stored/export.ts';
export { hasDocuments } from './stored/has-documents.ts';
export { openIndexed } from './stored/open-indexed.ts';
export {
  byMember,
  byWorkspace,
  openStored,
  type StoredDocuments,
} from './stored/stored-documents.ts';
export { whileAwaited, within } from './time-limit.ts';
export { untilAnswered } from './until-answered.ts';
export { type DatabaseLogin, hostNamesOf, hostsOf, urlFor, urlForMember, withoutLogin } from './url.ts';
