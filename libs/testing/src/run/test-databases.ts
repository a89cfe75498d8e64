import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createDeployment, paths, serviceRoles, setUser, writeDeployment } from '@action-platform/deployment';
import { freePort, type LocalServer, startMongod } from '@action-platform/local-servers';
import { urlFor } from '@action-platform/mongo';
import { BSON, MongoClient } from 'mongodb';
import { keepEvidence } from '../evidence.ts';

/** A database of the run, which removes it at its end. */
export interface NewDatabase {
  readonly name: string;
  /** The URL for the service: a user with the rights of a service in production. */
  readonly url: string;
  /** The URL for tests: a user with all rights. */
  readonly adminUrl: string;
}

/** MongoDB's least work for a password, because each test file makes users. */
const fewestIterations = { scramIterationCount: 5_000, scramSHA256IterationCount: 5_000 };

/** The databases of one run, on a MongoDB with authentication, or on the one that `MONGODB_URL` names. */
export class TestDatabases {
  readonly #folder: string;
  readonly #prefix = `test-${randomUUID().slice(0, 8)}`;
  readonly #report: (line: string) => void;
  #pid: number | undefined;
  #admin: Promise<{ url: string; client: MongoClient }> | undefined;

  /** @param folder for the data and the log. */
  constructor(folder: string, report: (line: string) => void) {
    this.#folder = folder;
    this.#report = report;
  }

  /** A new database with `what` in its name, and a user for it. */
  async create(what: string): Promise<NewDatabase> {
    const { url: adminUrl, client } = await this.#connect();
    const name = `${this.#prefix}-${randomUUID().slice(0, 8)}-${what}`;
    const login = { user: name, password: `SECRET-${randomUUID()}` };
    await setUser(client.db('admin'), 'createUser', login, serviceRoles(name));
    return { name, url: urlFor(login, adminUrl), adminUrl };
  }

  /** Removes the databases and users from the MongoDB of `MONGODB_URL`, or stops its own. */
  async stop(): Promise<void> {
    const admin = await this.#admin?.catch(() => undefined);
    if (admin !== undefined && process.env.TEST_EVIDENCE_DIR) await this.#keepAll(admin.client);
    if (admin !== undefined && process.env.MONGODB_URL) await this.#removeAll(admin.client);
    await admin?.client.close();
    this.abandon();
  }

  /** Kills the server at once, because its data is temporary. */
  abandon(): void {
    if (this.#pid !== undefined) process.kill(this.#pid, 'SIGKILL');
    this.#pid = undefined;
  }

  #connect(): Promise<{ url: string; client: MongoClient }> {
    const connect = async () => {
      const given = process.env.MONGODB_URL;
      const url = given || (await this.#startMongod()).url;
      const client = await new MongoClient(url).connect();
      if (!given) await client.db('admin').command({ setParameter: 1, ...fewestIterations });
      return { url, client };
    };
    this.#admin ??= connect();
    return this.#admin;
  }

  async #startMongod(): Promise<LocalServer> {
    const [folder, port] = [join(this.#folder, 'deployment'), await freePort()];
    const settings = {
      seenAt: folder,
      busHosts: [],
      databaseUrl: `mongodb://127.0.0.1:${port}/`,
      maxMessageBytes: 0,
    };
    writeDeployment(folder, await createDeployment(settings, { tls: false }));
    const mongod = await startMongod({
      port,
      dataDir: join(this.#folder, 'mongod'),
      logFile: join(this.#folder, 'mongod.log'),
      guard: {
        configFile: join(folder, paths.mongodConfig),
        keyFile: join(folder, paths.databaseKey),
      },
      onProgress: this.#report,
    });
    this.#pid = mongod.pid;
    return mongod;
  }

  async #keepAll(client: MongoClient): Promise<void> {
    for (const name of await this.#names(client)) {
      for (const collection of await client.db(name).collections()) {
        for await (const stored of collection.find()) keepEvidence('databases', BSON.EJSON.stringify(stored));
      }
    }
  }

  async #names(client: MongoClient): Promise<string[]> {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name).filter((name) => name.startsWith(this.#prefix));
  }

  async #removeAll(client: MongoClient): Promise<void> {
    await Promise.all((await this.#names(client)).map((name) => client.db(name).dropDatabase()));
    const ours = (name: string) => name.startsWith(this.#prefix);
    const admin = client.db('admin');
    const { users } = await admin.command({ usersInfo: 1 });
    for (const { user } of (users as { user: string }[]).filter(({ user }) => ours(user))) {
      await admin.command({ dropUser: user });
    }
  }
}
