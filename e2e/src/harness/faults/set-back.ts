import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@action-platform/contracts/services';
import { paths } from '@action-platform/deployment';
import { startMongod } from '@action-platform/local-servers';
import { makeTestFolder } from '@action-platform/testing';
import type { LocalPlatform } from '../../local-platform.ts';
import { copyDatabase, setBack } from './database-copy.ts';
import { freeze } from './processes.ts';

/** The part that is set back: the database of a service, or the streams, to a copy or to nothing. */
export type Part = ServiceName | 'streams' | 'lost streams';

/** Sets a part back to its copy, while the platform is stopped. */
export type SetBack = () => Promise<void>;

/** Copies a part of a running platform. */
export async function copyPart(platform: LocalPlatform, part: Part): Promise<SetBack> {
  const { places } = platform;
  if (part === 'streams') return copyStreams(platform);
  if (part === 'lost streams') return async () => rmSync(places.nats, { recursive: true });
  const copy = await copyDatabase(platform.databaseUrl(part), part);
  return async () => {
    const { keys, mongod: dataDir, logs } = places;
    const guard = { configFile: join(keys, paths.mongodConfig), keyFile: join(keys, paths.databaseKey) };
    const { mongod: port } = JSON.parse(readFileSync(join(places.root, 'ports.json'), 'utf8'));
    const mongod = await startMongod({ port, dataDir, logFile: join(logs, 'mongod.log'), guard });
    try {
      await setBack(mongod.url, part, copy);
    } finally {
      await mongod.stop();
    }
  };
}

/** Copies the files of JetStream at one moment, as the snapshot of a volume does. */
function copyStreams(platform: LocalPlatform): SetBack {
  const { nats } = platform.places;
  const copy = makeTestFolder();
  const goOn = freeze(platform.pids('nats-server'));
  cpSync(nats, copy, { recursive: true });
  goOn();
  return async () => {
    rmSync(nats, { recursive: true });
    cpSync(copy, nats, { recursive: true });
    rmSync(copy, { recursive: true });
  };
}
