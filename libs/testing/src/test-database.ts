import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@action-platform/mongo';
import { askRun } from './run/remote-run.ts';

/** Where a new database of the test run is, with `what` in its name. It is gone when the run ends. */
export async function newDatabaseAddress(what: string): Promise<{ url: string; name: string }> {
  const { url, prefix } = await askRun('mongodb');
  return { url, name: `${prefix}-${randomUUID().slice(0, 8)}-${what}` };
}

/** Opens a new database; whoever opens it closes it. */
export async function openTestDatabase(what: string): Promise<Database> {
  const { url, name } = await newDatabaseAddress(what);
  return await openDatabase(url, name);
}
