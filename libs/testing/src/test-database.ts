import { type Database, openDatabase } from '@action-platform/mongo';
import { askRun } from './run/remote-run.ts';

/** Opens a new database as a user with all rights. The caller closes it. */
export async function openTestDatabase(what: string): Promise<Database> {
  const { adminUrl, name } = await askRun('newDatabase', what);
  return await openDatabase(adminUrl, name);
}
