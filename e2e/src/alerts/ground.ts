import type { ProcessName } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { type LocalDirectory, localDirectory } from '@action-platform/local';
import { MongoClient } from 'mongodb';
import { Operator } from '../operator.ts';
import { StackProcess } from '../stack-process.ts';

/** Two replicas of each service that every call needs, so that one can fail. */
const REPLICAS = 'gateway=2,grants=2,record-store=2';

/** A platform with parts that tests make fail. */
export class Ground {
  readonly stack = new StackProcess();
  demo!: Demo;
  operator!: Operator;
  /** Its MongoDB, with all rights. */
  mongo!: MongoClient;

  get directory(): LocalDirectory {
    return localDirectory({ LOCAL_DIR: this.stack.directory });
  }

  async start(): Promise<void> {
    this.demo = await this.stack.start('--replicas', REPLICAS);
    this.operator = await Operator.of(this.stack);
    this.mongo = await new MongoClient(this.stack.databaseUrl('admin')).connect();
  }

  /** The process ids of the replicas of a service, or of a server. */
  pids(name: ProcessName | 'mongod' | 'nats-server'): number[] {
    const isServer = name === 'mongod' || name === 'nats-server';
    return this.stack.pids(isServer ? name : `services/${name}/`);
  }

  /** Ends it and removes its folder. */
  async remove(): Promise<void> {
    await this.mongo?.close();
    await this.operator?.close();
    await this.stack.remove();
  }
}
