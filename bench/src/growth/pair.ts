import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { readPlatform } from '../contenders/platform/platform.ts';
import { startIssuer } from '../environment/issuer.ts';
import { natsServerConfigOf } from '../environment/nats-accounts.ts';
import { NodeProcesses } from '../environment/node-process.ts';
import { startServers } from '../environment/servers.ts';
import { startLoadGenerator } from '../load/load-generator.ts';
import type { Instruments } from '../measure/measure.ts';
import type { Options } from './options.ts';
import { type Side, startSide } from './side.ts';

/** Two platforms of the same version beside each other, with databases of their own: one stays small, one grows. */
export interface Pair {
  readonly small: Side;
  readonly grown: Side;
  readonly instruments: Instruments;
  /** Makes mongod write a checkpoint, so that the filled-in data does not slow the measurement. */
  settle(): Promise<void>;
  /** Reports progress. */
  readonly tell: (line: string) => void;
}

/** Starts both on one mongod and one nats-server, all files in this folder. */
export async function startPair(
  { platform, cache }: Options,
  folder: string,
  tell: (line: string) => void,
  stops: AsyncDisposableStack,
): Promise<Pair> {
  const versions = [await readPlatform(platform, 0), await readPlatform(platform, 1)] as const;
  const config = natsServerConfigOf(versions.map(({ bus }) => bus));
  const servers = await startServers(folder, config, stops, cache);
  const issuer = await startIssuer(stops);
  const mongo = await MongoClient.connect(servers.mongod.url);
  stops.defer(() => mongo.close());
  const processes = new NodeProcesses(
    join(folder, 'logs'),
    { nodeFlags: [], profile: [], out: folder },
    stops,
  );
  const environment = { folder, servers, issuer, processes };
  return {
    small: await startSide('small', versions[0], environment, mongo),
    grown: await startSide('grown', versions[1], environment, mongo),
    instruments: { servers, mongo, generator: await startLoadGenerator(stops) },
    settle: async () => void (await mongo.db('admin').command({ fsync: 1 })),
    tell,
  };
}
