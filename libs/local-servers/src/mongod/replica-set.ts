import { setTimeout as sleep } from 'node:timers/promises';
import { initiate } from '@action-platform/mongo';
import { type Db, type Document, MongoClient, MongoServerError } from 'mongodb';

const askAgainAfterMs = 10;
/** The error of a mongod that accepts connections and has not read its stored configuration yet: NotYetInitialized. */
const NOT_YET_INITIALIZED = 94;

/**
 * Makes a mongod the writable primary of its replica set of one. `becomePrimary` initiates the set the first time, and reconfigures it when
 * the port of the data has changed.
 *
 * @param host its address and port
 */
export async function becomePrimary(url: string, host: string, signal: AbortSignal): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
  try {
    while (!(await isConfigured(client, host))) await sleep(askAgainAfterMs, undefined, { signal });
    while (!(await isWritablePrimary(client.db('admin'))))
      await sleep(askAgainAfterMs, undefined, { signal });
  } finally {
    await client.close();
  }
}

/** Configures the set for this address; false when the mongod is not ready for that. */
async function isConfigured(client: MongoClient, host: string): Promise<boolean> {
  try {
    await configure(client, host);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return false;
    throw error;
  }
}

async function configure(client: MongoClient, host: string): Promise<void> {
  const admin = client.db('admin');
  const stored = await client.db('local').collection('system.replset').findOne<StoredConfig>();
  if (!stored) {
    await initiate(admin, [host]);
  } else if (stored.members[0].host !== host) {
    // The set does not list the new address, so it has no primary and accepts only a forced change.
    const members = [{ ...stored.members[0], host }];
    await admin.command({ replSetReconfig: { ...stored, members }, force: true });
  }
}

interface StoredConfig extends Document {
  readonly members: [{ host: string }];
}

async function isWritablePrimary(admin: Db): Promise<boolean> {
  const { isWritablePrimary } = await admin.command({ hello: 1 });
  return isWritablePrimary === true;
}
