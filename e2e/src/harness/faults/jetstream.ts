import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '@action-platform/deployment';
import { reloadNatsServer, withoutJetStream } from '@action-platform/testing';
import type { LocalPlatform } from '../../local-platform.ts';
import { withMongo } from '../../with-mongo.ts';
import type { Fault, Repair } from './fault.ts';
import { kill } from './processes.ts';

/** Writes need no JetStream, so callers hardly notice that it is off. */
const GO_ON_WITHIN_SECONDS = 10;
/** The least size of an oplog that mongod accepts. */
const OPLOG_MB = 990;
/** One document of the load that fills the oplog. */
const FILL_MB = 8;

/** JetStream is off for some seconds. @param rollOver fills the oplog meanwhile, until it begins after the failure */
export function jetStreamOff(platform: LocalPlatform, seconds: number, rollOver: boolean): Fault {
  return {
    ...{ name: 'JetStream off', lastsMs: seconds * 1000, withinSeconds: GO_ON_WITHIN_SECONDS },
    happen: async () => {
      const turnOn = await turnOff(platform);
      return async () => {
        if (rollOver) await rollOplogOver(platform);
        await turnOn();
      };
    },
  };
}

/** Makes nats-server reload a configuration without JetStream. */
async function turnOff(platform: LocalPlatform): Promise<Repair> {
  const file = join(platform.places.keys, paths.natsServerConfig);
  const config = readFileSync(file, 'utf8');
  const log = join(platform.places.logs, 'nats-server.log');
  const reload = async (text: string) => {
    writeFileSync(file, text);
    for (const pid of platform.pids('nats-server')) await reloadNatsServer(pid, log);
  };
  await reload(withoutJetStream(config));
  return () => reload(config);
}

/** Has JetStream lose its storage, while it runs. */
export function loseJetStream(platform: LocalPlatform): void {
  const { nats } = platform.places;
  kill(platform.pids('nats-server'));
  renameSync(nats, `${nats}.lost.${Date.now()}`);
}

/** Resolves when the oldest entry of the oplog is younger than this call. */
async function rollOplogOver(platform: LocalPlatform): Promise<void> {
  await withMongo(platform.databaseUrl('admin'), async (mongo) => {
    await mongo.db('admin').command({ replSetResizeOplog: 1, size: OPLOG_MB });
    const oplog = mongo.db('local').collection('oplog.rs');
    const { operationTime } = await mongo.db('admin').command({ ping: 1 });
    const filler = mongo.db('filler');
    while ((await oplog.find().sort({ $natural: 1 }).limit(1).next())!.ts.lessThan(operationTime))
      await filler.collection('filler').insertOne({ text: 'x'.repeat(FILL_MB * 2 ** 20) });
    await filler.dropDatabase();
  });
}
