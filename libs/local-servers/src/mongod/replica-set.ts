import { setTimeout as sleep } from 'node:timers/promises';
import { initiate } from '@action-platform/mongo';
import { type Db, type Document, MongoClient } from 'mongodb';
import { connectWhenListening } from '../process/port.ts';

const askAgainAfterMs = 10;

/**
 * Makes a starting mongod the writable primary of its replica set of one. It initiates the set the first time, and reconfigures it
 * when the port of the data has changed. While another process answers on that port it waits: the mongod cannot listen there, and
 * ends by itself.
 */
export async function becomePrimary(server: Starting, signal: AbortSignal): Promise<void> {
  await whenItAnswers(server, signal, async (client, pause) => {
    await configure(client, `${server.host}:${server.port}`);
    while (!(await isWritablePrimary(client.db('admin')))) await pause();
  });
}

/** Waits until a starting mongod answers; the caller makes it a member of a replica set. */
export async function answer(server: Starting, signal: AbortSignal): Promise<void> {
  await whenItAnswers(server, signal, async () => {});
}

/** A starting mongod. */
interface Starting {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
}

async function whenItAnswers(
  server: Starting,
  signal: AbortSignal,
  then: (client: MongoClient, pause: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const probe = await connectWhenListening(server, signal);
  probe.destroy();
  const client = new MongoClient(server.url, { serverSelectionTimeoutMS: 5_000 });
  const pause = () => sleep(askAgainAfterMs, undefined, { signal });
  try {
    while ((await processId(client.db('admin'))) !== server.pid) await pause();
    await then(client, pause);
  } finally {
    await client.close();
  }
}

async function processId(admin: Db): Promise<unknown> {
  const { pid } = await admin.command({ serverStatus: 1 });
  return pid;
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
