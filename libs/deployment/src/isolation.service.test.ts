import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BusOptions, connectBus } from '@action-platform/bus';
import { type BusUser, busUsers, services } from '@action-platform/contracts/services';
import { AUTHENTICATION_FAILED, openDatabase, requireGuarded, UNAUTHORIZED } from '@action-platform/mongo';
import { type Rogue, TestDeployment } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient, MongoClientBulkWriteError } from 'mongodb';
import { createCertificates } from './certificates.ts';
import { createDeployment } from './deployment.ts';
import { filesOf, paths } from './files.ts';
import { busSubjects } from './test-support/bus-subjects.ts';

const subjects = busSubjects.filter(({ isPattern }) => !isPattern);

/** Every database of a deployment, and one that does not exist. */
const databases = [...services, 'admin', 'local', 'config', 'anything'];

let running: TestDeployment;
beforeAll(async () => {
  running = await TestDeployment.start({ tls: true });
});
afterAll(() => running.stop());

test('without TLS, the servers have the same users and permissions', () => {
  const { certificates: _without, ...plain } = running.deployment;
  const files = filesOf(plain);
  expect(running.read(paths.natsServerConfig).startsWith(files.get(paths.natsServerConfig)!)).toBe(true);
  const { net: _tls, ...mongod } = JSON.parse(running.read(paths.mongodConfig));
  expect(mongod).toEqual(JSON.parse(files.get(paths.mongodConfig)!));
});

describe('on the bus', () => {
  const connections = new Map<BusUser, Rogue>();
  beforeAll(async () => {
    for (const user of busUsers) connections.set(user, await running.rogue(user));
  });

  /** The server's refusals to a user during some work. */
  async function refusals(user: BusUser, work: (rogue: Rogue) => void): Promise<string[]> {
    const rogue = connections.get(user)!;
    const before = rogue.refusals.length;
    work(rogue);
    await rogue.flush();
    return rogue.refusals.slice(before);
  }

  test.each(busUsers)('%s may subscribe to its subjects and no others, in any queue group', async (user) => {
    const groups = ['', user, 'another'];
    const refused = await refusals(user, (rogue) => {
      for (const queue of groups) for (const { subject } of busSubjects) rogue.ask(subject, () => {}, queue);
    });
    const others = busSubjects.filter(({ subscribers }) => !subscribers.includes(user));
    const using = (queue: string) => (queue === '' ? '' : ` using queue "${queue}"`);
    expect(refused).toEqual(
      groups.flatMap((queue) =>
        others.map(
          ({ subject }) => `-ERR 'Permissions Violation for Subscription to "${subject}"${using(queue)}'`,
        ),
      ),
    );
  });

  test.each(busUsers)('%s may publish on its subjects and no others', async (user) => {
    const refused = await refusals(user, (rogue) => {
      for (const { subject } of subjects) rogue.publish(subject);
    });
    const others = subjects.filter(({ publishers }) => !publishers.includes(user));
    expect(refused).toEqual(
      others.map(({ subject }) => `-ERR 'Permissions Violation for Publish to "${subject}"'`),
    );
  });

  test('every permitted message arrives, at its subscribers alone', async () => {
    const listeners = await Promise.all(
      busUsers.map(async (user) => [user, await running.rogue(user)] as const),
    );
    const heard: string[] = [];
    for (const [user, rogue] of listeners) {
      for (const { subject } of subjects) {
        rogue.ask(subject, ({ body }) => void heard.push(`${body} to ${user} on ${subject}`));
      }
      await rogue.flush();
    }
    for (const [user, rogue] of listeners) {
      for (const { subject } of subjects) rogue.publish(subject, { body: user });
      await rogue.flush();
    }
    await Promise.all(listeners.map(([, rogue]) => rogue.flush()));
    const expected = subjects.flatMap(({ subject, publishers, subscribers }) =>
      publishers.flatMap((from) => subscribers.map((to) => `${from} to ${to} on ${subject}`)),
    );
    expect(heard.toSorted()).toEqual(expected.toSorted());
    expect(heard.length).toBeGreaterThan(0);
  });

  test('the NATS server refuses a connection with an unknown key', async () => {
    const { busKeys } = await createDeployment(running.deployment.place, { tls: false });
    for (const { seed } of Object.values(busKeys.inUse)) {
      await expect(running.rogue('mail', seed)).rejects.toThrow('Authorization Violation');
    }
  });
});

describe('in MongoDB', () => {
  test.each(services)('%s may read and write its own database and no other', async (user) => {
    const client = await running.client(user);
    const expected = databases.flatMap((database) =>
      Object.keys(attempts).map((what) => {
        const isPermitted = database === user && !forAdmin.includes(what);
        return `${what} in ${database}: ${isPermitted ? 'permitted' : 'denied'}`;
      }),
    );
    const outcomes: string[] = [];
    for (const database of databases) {
      for (const [what, attempt] of Object.entries(attempts)) {
        outcomes.push(`${what} in ${database}: ${await outcomeOf(attempt(client, database, user))}`);
      }
    }
    expect(outcomes).toEqual(expected);
  });

  test('admin manages all of them', async () => {
    const client = await running.client('admin');
    for (const database of services) {
      for (const attempt of Object.values(attempts)) {
        expect(await outcomeOf(attempt(client, database, database))).toBe('permitted');
      }
    }
  });

  test('MongoDB refuses a connection with a wrong password', async () => {
    const url = new URL(running.read(paths.databaseUrl('mail')));
    url.password = 'guess';
    await expect(running.client('mail', url.href)).rejects.toMatchObject({ code: AUTHENTICATION_FAILED });
  });
});

describe('every connection is encrypted:', () => {
  let foreign: string;
  beforeAll(async () => {
    foreign = join(running.folder, 'foreign.pem');
    const hosts = ['127.0.0.1'];
    writeFileSync(foreign, (await createCertificates({ nats: hosts, mongodb: hosts })).authority);
  });

  const connectWith = (authorityFile: string, options: Partial<BusOptions> = {}) =>
    connectBus({
      url: running.natsUrl,
      authorityFile,
      user: 'mail',
      seed: running.read(paths.seed('mail')),
      maxMessageBytes: 1024,
      ...options,
    });

  test('a service connects to both servers with its files', async () => {
    const bus = await connectWith(join(running.folder, paths.authority));
    await bus.drain();
    const database = await openDatabase(running.read(paths.databaseUrl('mail')), 'mail');
    await requireGuarded(database.db, running.read(paths.databaseUrl('mail')));
    await database.close();
  });

  test('a service refuses a server certificate of another authority', async () => {
    const waits = new AbortController();
    const onEvent = ({ message }: { message: string }) => waits.abort(message);
    await expect(connectWith(foreign, { onEvent, signal: waits.signal })).rejects.toThrow();
    expect(waits.signal.reason).toMatch(/^waiting for the NATS server at .*: .*certificate/);
    const url = new URL(running.read(paths.databaseUrl('mail')));
    url.searchParams.set('tlsCAFile', foreign);
    url.searchParams.set('serverSelectionTimeoutMS', '500');
    await expect(new MongoClient(url.href).connect()).rejects.toThrow(/certificate/);
  });

  test('the NATS server sends nothing without encryption', async () => {
    const socket = connect(Number(new URL(running.natsUrl).port), '127.0.0.1');
    socket.write('CONNECT {}\r\nPING\r\n');
    expect(await text(socket)).not.toContain('INFO');
  });

  test('MongoDB closes a connection without encryption', async () => {
    const url = new URL(running.read(paths.databaseUrl('mail')));
    url.searchParams.set('tls', 'false');
    url.searchParams.delete('tlsCAFile');
    url.searchParams.set('serverSelectionTimeoutMS', '500');
    await expect(new MongoClient(url.href).connect()).rejects.toThrow(/closed/);
  });
});

type Attempt = (client: MongoClient, database: string, own: string) => Promise<unknown>;

/** The attempts of a user in a database. */
const attempts: Readonly<Record<string, Attempt>> = {
  insert: (client, database) => things(client, database).insertOne({ thing: 1 }),
  find: (client, database) => things(client, database).findOne(),
  index: (client, database) => things(client, database).createIndex({ thing: 1 }),
  update: (client, database) => things(client, database).updateOne({}, { $set: { thing: 2 } }),
  bulk: (client, database) =>
    client.bulkWrite<Record<string, { thing: number }>>([
      { name: 'insertOne', namespace: `${database}.things`, document: { thing: 3 } },
    ]),
  merge: (client, database, own) =>
    things(client, own)
      .aggregate([{ $merge: { into: { db: database, coll: 'merged' } } }])
      .toArray(),
  list: (client, database) => client.db(database).listCollections().toArray(),
  remove: (client, database) => things(client, database).deleteMany({}),
  'make users': (client, database) =>
    client
      .db(database)
      .command({ createUser: randomUUID(), pwd: 'p', roles: [{ role: 'read', db: database }] }),
  drop: (client, database) => client.db(database).dropDatabase(),
};

/** The attempts that a service may not make even in its own database. */
const forAdmin = ['make users', 'drop'];

function things(client: MongoClient, database: string) {
  return client.db(database).collection<{ thing: number }>('things');
}

async function outcomeOf(attempt: Promise<unknown>): Promise<'permitted' | 'denied'> {
  try {
    await attempt;
    return 'permitted';
  } catch (error) {
    const cause = error instanceof MongoClientBulkWriteError ? error.cause : error;
    if ((cause as { code?: unknown }).code === UNAUTHORIZED) return 'denied';
    throw error;
  }
}
