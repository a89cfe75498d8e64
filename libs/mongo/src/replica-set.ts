import { timeouts } from '@action-platform/contracts/limits';
import { type Db, MongoServerError } from 'mongodb';

/** Error code: the server already belongs to a replica set. */
const ALREADY_INITIALIZED = 23;

/** The name of the platform's replica set. The name must not change, because stored data contain it. */
export const replicaSet = 'rs0';

/**
 * Makes the mongods that listen at `hosts` (`name:port`) a replica set, unless `admin` already belongs to one. `initiate` always sends the
 * command, because a starting mongod does not know yet whether it belongs to one.
 *
 * @param admin the database `admin` of one of them
 */
export async function initiate(admin: Db, hosts: readonly string[]): Promise<void> {
  const members = hosts.map((host, _id) => ({ _id, host }));
  const settings = {
    electionTimeoutMillis: timeouts.databaseElection,
    heartbeatIntervalMillis: timeouts.databaseMemberHeartbeat,
    heartbeatTimeoutSecs: timeouts.databaseMemberAnswer / 1_000,
  };
  try {
    await admin.command({ replSetInitiate: { _id: replicaSet, members, settings } });
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === ALREADY_INITIALIZED)) throw error;
  }
}
