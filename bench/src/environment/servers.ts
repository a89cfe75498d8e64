import { join } from 'node:path';
import { freePort, type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';

/** The servers that all contenders share. */
export interface Servers {
  readonly mongod: LocalServer;
  readonly nats: LocalServer;
  /** The monitoring URL of nats-server. */
  readonly natsMonitor: string;
}

/** Large enough that no contender reads from disk. */
const MONGOD_CACHE_GB = 1;

/** Starts one mongod (a journaled replica set of one, with a cache of so many GB) and one nats-server. */
export async function startServers(
  folder: string,
  natsConfig: string,
  stops: AsyncDisposableStack,
  cacheSizeGB = MONGOD_CACHE_GB,
): Promise<Servers> {
  const monitorPort = await freePort();
  const mongod = await startMongod({
    dataDir: join(folder, 'mongod'),
    logFile: join(folder, 'logs', 'mongod.log'),
    cacheSizeGB,
  });
  stops.defer(() => mongod.stop());
  const nats = await startNatsServer({
    config: `http: "127.0.0.1:${monitorPort}"\n${natsConfig}`,
    configFile: join(folder, 'nats.conf'),
    logFile: join(folder, 'logs', 'nats-server.log'),
  });
  stops.defer(() => nats.stop());
  return { mongod, nats, natsMonitor: `http://127.0.0.1:${monitorPort}` };
}
