import type { MongoClient } from 'mongodb';
import type { Api } from './api.ts';

/** A running system under measurement. */
export interface Contender {
  readonly name: string;
  readonly origin: string;
  /** The ids of its processes, with its mongod and nats-server, by name. */
  readonly pids: ReadonlyMap<string, number>;
  /** Rejects when it ends by itself. */
  readonly failed: Promise<never>;
  /** Its MongoDB, with all rights. */
  readonly mongo: MongoClient;
  /** Whether the contender is the platform, which serves every scenario. */
  readonly isPlatform: boolean;
  /** Creates a Workspace, and calls as its Owner. */
  workspace(): Promise<Api>;
}

/** The surroundings of contenders. */
export interface Bench {
  /** The folder for their files, removed afterwards; a failed run keeps the logs. */
  readonly folder: string;
  /** Ends their processes. */
  readonly stops: AsyncDisposableStack;
}
