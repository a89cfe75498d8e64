import { inBackground } from '@action-platform/contracts/calls';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { type Db, MongoServerError } from 'mongodb';
import { UNAUTHORIZED } from './errors.ts';
import { within } from './time-limit.ts';
import { hostsOf } from './url.ts';

/**
 * Checks that MongoDB denies the user of `url` other databases, by the users of the deployment as an example.
 *
 * @throws WrongConfiguration, with the host and the remedy, when MongoDB runs without authentication or the user has too
 *   many rights.
 */
export async function requireGuarded(db: Db, url: string): Promise<void> {
  const users = db.client.db('admin').collection('system.users');
  try {
    await users.findOne({}, { projection: { _id: 1 }, ...within(inBackground) });
  } catch (error) {
    if (error instanceof MongoServerError && error.code === UNAUTHORIZED) return;
    throw error;
  }
  throw new WrongConfiguration([
    `MongoDB at ${hostsOf(url)} does not keep this service out of other databases: start it with security.keyFile, and give the service a user with the role readWrite in "${db.databaseName}" alone, or accept it with ALLOW_INSECURE=1`,
  ]);
}
