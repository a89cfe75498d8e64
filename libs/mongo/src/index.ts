export { type Database, openDatabase, WRITE_SETTLED_AFTER_MS } from './database.ts';
export { isDuplicateKey } from './errors.ts';
export { insertEach } from './insert-each.ts';
export { Lease, type StoredLease } from './lease.ts';
