import './broken-connections.ts';
import { inBackground } from '@action-platform/contracts/calls';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { timeouts } from '@action-platform/contracts/limits';
import { telemetry } from '@action-platform/telemetry';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { checkPoolsRarely } from './driver-connection.ts';
import { AUTHENTICATION_FAILED, UNAUTHORIZED } from './errors.ts';
import { observeCommands } from './observe-commands.ts';
import { observeFileSystem } from './observe-file-system.ts';
import { observePool } from './observe-pool.ts';
import { LONGEST_COMMAND_MS, within } from './time-limit.ts';
import { hostsOf } from './url.ts';

/** A service's own database. */
export interface Database {
  readonly client: MongoClient;
  readonly db: Db;
  /** Resolves when the database answers; rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The oldest MongoDB that can answer every write of a bulk with its own result. */
const MINIMUM_MAJOR_VERSION = 8;

/** The longest wait for an answer to a command, in milliseconds; a live server gives up earlier. */
const SOCKET_TIMEOUT_MS = LONGEST_COMMAND_MS + 1_000;

/**
 * Connects to a database. MongoDB acknowledges a write from the journals of a majority, and reads return majority-acknowledged
 * data, so every later read sees an acknowledged change. With telemetry the connection traces and measures its commands.
 */
export async function openDatabase(url: string, name: string): Promise<Database> {
  const { isEnabled: isObserved } = telemetry();
  const client = new MongoClient(url, {
    appName: `action-platform ${name}`,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    retryReads: true,
    retryWrites: true,
    heartbeatFrequencyMS: timeouts.databaseHeartbeat,
    connectTimeoutMS: timeouts.databaseConnect,
    serverSelectionTimeoutMS: timeouts.databaseSelection,
    waitQueueTimeoutMS: timeouts.databaseSelection,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    maxPoolSize: 32,
    ignoreUndefined: true,
    // MongoDB cuts the message of a duplicate key anywhere, also within a character; with validation the driver throws at that.
    enableUtf8Validation: false,
  });
  checkPoolsRarely(client);
  if (isObserved) {
    observeCommands();
    observePool(client);
  }
  const db = client.db(name);
  try {
    await client.connect();
    await requireCapableServer(db, url);
  } catch (error) {
    await client.close();
    const reason = error instanceof MongoServerError ? refusals.get(error.code) : undefined;
    if (reason === undefined) throw error;
    throw new WrongConfiguration([`MongoDB at ${hostsOf(url)} ${reason}`]);
  }
  const watching = isObserved ? observeFileSystem(db) : undefined;
  return {
    client,
    db,
    ping: async () => {
      await db.command({ ping: 1, ...within(inBackground) });
    },
    close: () => {
      clearInterval(watching);
      return client.close();
    },
  };
}

/** The reasons why MongoDB refuses a connection, by error code. */
const refusals = new Map<unknown, string>([
  [AUTHENTICATION_FAILED, 'refused the user and password of MONGODB_URL'],
  [UNAUTHORIZED, 'requires authentication: MONGODB_URL needs a user and a password'],
]);

async function requireCapableServer(db: Db, url: string): Promise<void> {
  const { version } = (await db.admin().command({ buildInfo: 1, ...within(inBackground) })) as unknown as {
    version: string;
  };
  if (Number.parseInt(version, 10) < MINIMUM_MAJOR_VERSION) {
    throw new WrongConfiguration([
      `MongoDB ${MINIMUM_MAJOR_VERSION} or newer is needed; the one at ${hostsOf(url)} is ${version}`,
    ]);
  }
  const { setName, msg } = await db.command({ hello: 1, ...within(inBackground) });
  if (setName === undefined && msg !== 'isdbgrid') {
    throw new WrongConfiguration([
      `MongoDB at ${hostsOf(url)} must run as a replica set or a sharded cluster: start it with --replSet, also when it is a single node`,
    ]);
  }
}
