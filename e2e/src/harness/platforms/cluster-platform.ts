import { until } from '@action-platform/testing';
import { ClusterServers } from './cluster-servers.ts';
import { DeployedPlatform } from './deployed-platform.ts';
import { Network } from './network.ts';

const POLL_MS = 200;

/** Two replicas of everything on three mongods and three nats-servers, each on a host of its own. */
export class ClusterPlatform extends DeployedPlatform {
  readonly network = new Network();
  readonly servers: ClusterServers;

  constructor() {
    const servers = new ClusterServers();
    super(servers);
    this.servers = servers;
  }

  override async start(): Promise<void> {
    await this.servers.start(this.network);
    await super.start();
  }

  override async ready(): Promise<void> {
    await until(
      () => 'every member of the replica set is up to date',
      () => this.servers.isReplicated(),
      { pollMs: POLL_MS },
    );
    await super.ready();
  }

  override async remove(): Promise<void> {
    this.network.heal();
    await super.remove();
    await this.servers.stop();
  }
}
