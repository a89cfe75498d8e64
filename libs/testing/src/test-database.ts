import { type Database, openDatabase } from '@action-platform/mongo';
import { askRun } from './run/remote-run.ts';

/** Opens a new database as somebody who may do anything; whoever opens it closes it. */
export async function openTestDatabase(what: string): Promise<Database> {
  const { adminUrl, name } = await askRun('newDatabase', what);
  return await openDatabase(adminUrl, name);
}
