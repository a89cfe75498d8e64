export { type Database, openDatabase } from './database.ts';
export { DUPLICATE_KEY_CODE, isDuplicateKey } from './errors.ts';
export { insertEach } from './insert-each.ts';
export { Lease, type StoredLease } from './lease.ts';
export { whileAwaited, within } from './time-limit.ts';
