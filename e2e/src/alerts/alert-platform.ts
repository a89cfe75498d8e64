import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessName } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { type LocalDirectory, localDirectory, readStack } from '@action-platform/local';
import { type RunningProcess, startNodeService } from '@action-platform/local/processes';
import { TestIssuer } from '@action-platform/testing';
import { MongoClient } from 'mongodb';
import { LocalPlatform, twoOf } from '../harness/platforms/local-platform.ts';

/** A platform with parts that tests make fail. */
export class AlertPlatform extends LocalPlatform {
  /** An issuer of session tokens, besides that of the stack. */
  readonly issuer = new TestIssuer();
  /** Its MongoDB, with all rights. */
  mongo!: MongoClient;

  constructor() {
    // Two replicas of each service that every call needs, so that one can fail.
    super(twoOf('gateway', 'grants', 'record-store'));
  }

  get directory(): LocalDirectory {
    return localDirectory({ LOCAL_DIR: this.stack.directory });
  }

  override async start(): Promise<void> {
    await this.issuer.start();
    Object.assign(this.stack.environment, this.issuer.environment);
    this.#limitDisk();
    await super.start();
    this.mongo = await new MongoClient(this.stack.databaseUrl('admin')).connect();
  }

  /** The process ids of the replicas of a service, or of a server. */
  pids(name: ProcessName | 'mongod' | 'nats-server'): number[] {
    const isServer = name === 'mongod' || name === 'nats-server';
    return this.stack.pids(isServer ? name : `services/${name}/`);
  }

  /** Ends it and removes its folder. */
  override async remove(): Promise<void> {
    await this.mongo?.close();
    await this.stop();
    spawnSync('umount', [this.directory.mongod]);
    await this.stack.remove();
    this.issuer.stop();
  }

  /** Starts a further replica of procedures, with these variables besides its own. */
  async replica(environment: Readonly<Record<string, string>>): Promise<RunningProcess> {
    const { keys, logs } = this.directory;
    const { nats_url: NATS_URL } = readStack(this.directory);
    const file = (of: string) => join(keys, of);
    const own = {
      NATS_URL,
      NATS_NKEY_SEED_FILE: file(paths.seed('procedures')),
      MONGODB_URL_FILE: file(paths.databaseUrl('procedures')),
      SEAL_KEYS_FILE: file(paths.sealKeys('procedures')),
      ...{ PATH: process.env.PATH!, ...environment },
    };
    return await startNodeService('procedures', own, join(logs, 'further.log'));
  }

  /** Gives MongoDB a file system of its own, in memory, which a test may fill. It needs root on Linux. */
  #limitDisk(): void {
    const { mongod } = this.directory;
    mkdirSync(mongod, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=700', 'tmpfs', mongod]);
  }
}
