import { inBackground, WrongConfiguration } from '@action-platform/contracts';
import { type Db, MongoServerError } from 'mongodb';
import { UNAUTHORIZED } from './errors.ts';
import { within } from './time-limit.ts';
import { hostsOf } from './url.ts';

/**
 * Makes sure that a MongoDB keeps whoever connects with `url` out of what is not theirs.
 *
 * @throws WrongConfiguration in one line that names the host and what to do: it lets in anybody, or their user may do too much.
 */
export async function requireGuarded(db: Db, url: string): Promise<void> {
  if (!(await mayReadUsers(db))) return;
  throw new WrongConfiguration([
    `MongoDB at ${hostsOf(url)} does not keep this service out of other databases: start it with security.keyFile, and give the service a user with the role readWrite in "${db.databaseName}" alone, or accept it with ALLOW_INSECURE=1`,
  ]);
}

/** Whether its connection may read what nobody should who has one database of their own. */
async function mayReadUsers(db: Db): Promise<boolean> {
  const users = db.client.db('admin').collection('system.users');
  try {
    await users.findOne({}, { projection: { _id: 1 }, ...within(inBackground) });
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return false;
    throw error;
  }
}
