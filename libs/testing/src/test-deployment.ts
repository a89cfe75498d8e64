import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits, largestMessageBytes } from '@action-platform/contracts/limits';
import type { BusUser } from '@action-platform/contracts/services';
import {
  adapted,
  createDeployment,
  type DatabaseUser,
  type Deployment,
  paths,
  prepareDatabase,
  type RotationAction,
  readDeployment,
  reloadCertificates,
  writeDeployment,
} from '@action-platform/deployment';
import { freePort, type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';
import { replicaSet } from '@action-platform/mongo';
import { MongoClient } from 'mongodb';
import { reloadNatsServer } from './reload-nats-server.ts';
import { Rogue } from './rogue/rogue.ts';
import { makeTestFolder } from './test-folder.ts';

/** Options of a test deployment. */
interface Options {
  readonly folder: string;
  readonly busHost: string;
  readonly databaseHost: string;
}

/** A deployment with servers that run on its generated configuration alone. */
export class TestDeployment {
  readonly folder: string;
  readonly #nats: LocalServer;
  readonly #mongod: LocalServer;
  readonly #tls: boolean;
  readonly #rogues: Rogue[] = [];
  readonly #clients: MongoClient[] = [];
  deployment: Deployment;

  private constructor(folder: string, deployment: Deployment, nats: LocalServer, mongod: LocalServer) {
    this.folder = folder;
    this.deployment = deployment;
    this.#nats = nats;
    this.#mongod = mongod;
    this.#tls = deployment.certificates !== undefined;
  }

  /**
   * Makes one in a folder of its own, with fresh credentials, and starts its servers.
   *
   * @param make replaces the generator of this version, and decides about TLS itself
   */
  static async start({
    tls,
    make = (options) => create(options, tls),
  }: {
    tls: boolean;
    make?: (options: Options) => Promise<void>;
  }): Promise<TestDeployment> {
    const [folder, port] = [makeTestFolder(), await freePort()];
    await make({ folder, busHost: '127.0.0.1', databaseHost: `127.0.0.1:${port}` });
    const made = readDeployment(folder)!;
    // An earlier version may have other files and services.
    const deployment = adapted(made, made.place);
    writeDeployment(folder, deployment);
    const file = (path: string) => join(folder, path);
    const authorityFile = deployment.certificates && file(paths.authority);
    const nats = await startNatsServer({
      configFile: file(paths.natsServerConfig),
      storeDir: file('jetstream'),
      logFile: file('nats.log'),
    });
    const mongod = await startMongod({
      port,
      dataDir: file('data'),
      logFile: file('mongod.log'),
      guard: { configFile: file(paths.mongodConfig), keyFile: file(paths.databaseKey), authorityFile },
    });
    await prepareDatabase(deployment);
    return new TestDeployment(folder, deployment, nats, mongod);
  }

  get natsUrl(): string {
    return this.#nats.url;
  }

  /** The current text of a file of the deployment. */
  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8').trim();
  }

  /** A hostile bus client with the credentials of a user, by default those in its file. */
  async rogue(
    user: BusUser,
    seed = this.read(paths.seed(user)),
    authority = this.#tls ? this.read(paths.authority) : undefined,
  ): Promise<Rogue> {
    const rogue = await Rogue.connect(this.natsUrl, seed, authority);
    this.#rogues.push(rogue);
    return rogue;
  }

  /** A MongoDB client of a user, by default with the URL in its file. */
  async client(user: DatabaseUser, url = this.read(paths.databaseUrl(user))): Promise<MongoClient> {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
    this.#clients.push(client);
    return await client.connect();
  }

  /** Writes a changed deployment and takes the actions on its servers. The caller restarts gateways and services. */
  async apply(deployment: Deployment, actions: readonly RotationAction[]): Promise<void> {
    this.deployment = deployment;
    writeDeployment(this.folder, deployment);
    if (actions.includes('reload-bus')) await reloadNatsServer(this.#nats.pid, join(this.folder, 'nats.log'));
    if (actions.includes('reload-databases')) await reloadCertificates(deployment);
    if (actions.includes('database-users')) await prepareDatabase(deployment);
  }

  /** Stops the servers and removes the folder. */
  async stop(): Promise<void> {
    await Promise.all(this.#rogues.map((rogue) => rogue.close()));
    await Promise.all(this.#clients.map((client) => client.close()));
    await Promise.all([this.#nats.stop(), this.#mongod.stop()]);
    rmSync(this.folder, { recursive: true });
  }
}

async function create({ folder, busHost, databaseHost }: Options, tls: boolean): Promise<void> {
  const settings = {
    seenAt: folder,
    busHosts: [busHost],
    databaseUrl: `mongodb://${databaseHost}/?replicaSet=${replicaSet}`,
    maxMessageBytes: largestMessageBytes(defaultLimits),
  };
  writeDeployment(folder, await createDeployment(settings, { tls }));
}
