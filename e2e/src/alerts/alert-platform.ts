import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { credentialVariables } from '@action-platform/deployment';
import { type Demo, readStack } from '@action-platform/local';
import { startNodeService } from '@action-platform/local/processes';
import { freePort, type RunningProcess } from '@action-platform/local-servers';
import { TestIssuer } from '@action-platform/testing';
import { MongoClient } from 'mongodb';
import { addTarget } from '../harness/faults/dependencies.ts';
import { LocalPlatform, twoOf } from '../local-platform.ts';
import { SmallCluster } from './small-cluster.ts';

/** A platform with parts that tests make fail. */
export class AlertPlatform extends LocalPlatform {
  /** An issuer of session tokens, besides that of the stack. */
  readonly issuer = new TestIssuer();
  /** A NATS cluster of two servers of its own, for one replica of procedures. */
  #bus: SmallCluster | undefined;
  /** Its MongoDB, with all rights. */
  mongo!: MongoClient;

  constructor() {
    // Two replicas of each service that every call needs, so that one can fail.
    const erasures = { ERASURE_PAUSE_MS: '1000', AUDIT_WINDOW_MS: '1000' };
    super(twoOf('gateway', 'grants', 'record-store'), erasures);
  }

  override async start(): Promise<Demo> {
    await this.issuer.start();
    Object.assign(this.environment, this.issuer.environment);
    this.#limitDisk();
    const demo = await super.start();
    this.mongo = await new MongoClient(this.databaseUrl('admin')).connect();
    return demo;
  }

  /** Ends it and removes its folder. */
  override async remove(): Promise<void> {
    await this.mongo?.close();
    await this.#bus?.stop();
    await this.stop();
    spawnSync('umount', [this.places.mongod]);
    await super.remove();
    this.issuer.stop();
  }

  /** Ends a server of a NATS cluster to which a replica of procedures is connected. @returns a function that starts it again */
  async loseBusMember(): Promise<() => Promise<void>> {
    this.#bus ??= await SmallCluster.start(this.places, async (NATS_URL) => {
      const METRICS_PORT = String(await freePort());
      const { stop } = await this.replica({ NATS_URL, METRICS_PORT });
      const forget = addTarget(this.places.metricsTargets, METRICS_PORT);
      return async () => {
        forget();
        await stop();
      };
    });
    return await this.#bus.loseMember();
  }

  /** Starts a further replica of procedures, with these variables besides its own. */
  async replica(environment: Readonly<Record<string, string>>): Promise<RunningProcess> {
    const { keys, logs } = this.places;
    const { nats_url: NATS_URL } = readStack(this.places);
    const credentials = credentialVariables(keys, 'procedures');
    const own = { NATS_URL, ...credentials, PATH: process.env.PATH!, ...environment };
    return await startNodeService('procedures', own, join(logs, 'further.log'));
  }

  /** Gives MongoDB a file system of its own, in memory, which a test may fill. `#limitDisk` needs root on Linux. */
  #limitDisk(): void {
    const { mongod } = this.places;
    mkdirSync(mongod, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=700', 'tmpfs', mongod]);
  }
}
