import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits, largestMessageBytes } from '@action-platform/contracts/limits';
import { createDeployment, paths, prepareDatabase, writeDeployment } from '@action-platform/deployment';
import { type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';
import { replicaSet } from '@action-platform/mongo';
import { makeTestFolder } from '@action-platform/testing';
import { MongoClient } from 'mongodb';
import type { RunningDeployment } from './deployed-platform.ts';
import type { Host, Network } from './network.ts';

const MONGODB_PORT = 27_017;
const NATS_PORT = 4_222;
const NATS_CLUSTER_PORT = 6_222;
const MEMBERS = [1, 2, 3];

/** A server of a cluster. */
export interface Member {
  readonly host: Host;
  server: LocalServer;
  /** Starts it again on its data. */
  start(): Promise<LocalServer>;
}

/** A deployment with TLS on three nats-servers and a replica set of three, each on a host of its own. */
export class ClusterServers implements RunningDeployment {
  readonly folder = makeTestFolder();
  mongods: readonly Member[] = [];
  nats: readonly Member[] = [];
  #admin: MongoClient | undefined;

  async start(network: Network): Promise<void> {
    // Runs after Ctrl-C too; the servers end with this process.
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }));
    const mongodHosts = MEMBERS.map((number) => network.add(`mongod-${number}`));
    const natsHosts = MEMBERS.map((number) => network.add(`nats-${number}`));
    const members = mongodHosts.map(({ address }) => `${address}:${MONGODB_PORT}`);
    const settings = {
      seenAt: this.folder,
      busHosts: natsHosts.map(({ address }) => address),
      databaseUrl: `mongodb://${members}/?replicaSet=${replicaSet}`,
      maxMessageBytes: largestMessageBytes(defaultLimits),
    };
    const deployment = await createDeployment(settings, { tls: true });
    writeDeployment(this.folder, deployment);
    this.nats = await Promise.all(natsHosts.map((host) => this.#startNats(host, natsHosts)));
    this.mongods = await Promise.all(mongodHosts.map((host) => this.#startMongod(host)));
    await prepareDatabase(deployment);
    this.#admin = await new MongoClient(this.read(paths.databaseUrl('admin')), {
      serverSelectionTimeoutMS: 3_000,
      // A primary that is to step down waits up to ten seconds for one that can follow it.
      socketTimeoutMS: 15_000,
      heartbeatFrequencyMS: 500,
    }).connect();
  }

  get natsUrl(): string {
    return this.nats.map(({ server }) => server.url).join(',');
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8').trim();
  }

  /** Sends an admin command to the replica set. */
  async command(command: object): Promise<Record<string, unknown>> {
    return await this.#admin!.db('admin').command(command);
  }

  /** The member that takes writes. */
  async primary(): Promise<Member> {
    const { primary } = await this.command({ hello: 1 });
    return this.mongods.find(({ host }) => primary === `${host.address}:${MONGODB_PORT}`)!;
  }

  /** Whether every member of the replica set is a part of it, and none is more than a second behind. */
  async isReplicated(): Promise<boolean> {
    const { members } = await this.command({ replSetGetStatus: 1 });
    const states = members as { stateStr: string; optimeDate: Date }[];
    const written = states.map(({ optimeDate }) => optimeDate.getTime());
    return (
      states.every(({ stateStr }) => /^(PRIMARY|SECONDARY)$/.test(stateStr)) &&
      Math.max(...written) - Math.min(...written) <= 1_000
    );
  }

  async stop(): Promise<void> {
    await this.#admin?.close();
    // An orderly stop of a replica set member takes 15 s, so that its clients can move.
    for (const { server } of this.mongods) process.kill(server.pid, 'SIGKILL');
    await Promise.all([...this.nats, ...this.mongods].map(({ server }) => server.stop()));
  }

  async #startNats(host: Host, all: readonly Host[]): Promise<Member> {
    const folder = join(this.folder, host.name);
    const start = () =>
      startNatsServer({
        ...host,
        host: host.address,
        port: NATS_PORT,
        config: `${this.read(paths.natsServerConfig)}\n${this.#clusterConfig(host, all)}`,
        configFile: join(folder, 'nats-server.conf'),
        storeDir: join(folder, 'jetstream'),
        logFile: join(folder, 'nats-server.log'),
      });
    return { host, start, server: await start() };
  }

  /** The part of a NATS server's configuration that `deploy/kubernetes/components/nats/cluster.conf` has for Kubernetes. */
  #clusterConfig(host: Host, all: readonly Host[]): string {
    const [certificate, ca_file] = [paths.certificate('nats'), paths.authority].map((path) =>
      join(this.folder, path),
    );
    const cluster = {
      name: 'action-platform',
      listen: `${host.address}:${NATS_CLUSTER_PORT}`,
      routes: all.map(({ address }) => `nats://${address}:${NATS_CLUSTER_PORT}`),
      tls: { cert_file: certificate, key_file: certificate, ca_file, verify: true },
    };
    return `server_name: ${host.name}\ncluster: ${JSON.stringify(cluster)}\n`;
  }

  async #startMongod(host: Host): Promise<Member> {
    const folder = join(this.folder, host.name);
    mkdirSync(folder);
    const [configFile, keyFile] = [paths.mongodConfig, paths.databaseKey].map((path) =>
      join(this.folder, path),
    );
    const guard = { configFile: configFile!, keyFile: keyFile! };
    const start = () =>
      startMongod({
        ...host,
        host: host.address,
        port: MONGODB_PORT,
        isMember: true,
        dataDir: join(folder, 'data'),
        logFile: join(folder, 'mongod.log'),
        guard,
      });
    return { host, start, server: await start() };
  }
}
