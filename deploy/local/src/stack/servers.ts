import { join } from 'node:path';
import { paths } from '@action-platform/deployment';
import { freePort, type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { type LocalDirectory, readJsonFile, writeJsonFile } from '../local-directory.ts';
import type { Supervisor } from './supervisor.ts';

export interface ServersContext {
  readonly supervisor: Supervisor;
  readonly directory: LocalDirectory;
  /** Receives lines for people about slow steps. */
  readonly progress: (line: string) => void;
}

export interface ServerPorts {
  readonly mongod: number;
  readonly nats: number;
}

/** Chooses free ports: those of the last start if they are still free. */
export async function choosePorts({ root }: LocalDirectory): Promise<ServerPorts> {
  const file = join(root, 'ports.json');
  const last = readJsonFile<ServerPorts>(file);
  const ports = { mongod: await freePort(last?.mongod), nats: await freePort(last?.nats) };
  writeJsonFile(file, ports);
  return ports;
}

/** Keeps a mongod running whose only user has the deployment's key file. */
export async function keepMongod(context: ServersContext, port: number): Promise<void> {
  const { directory, progress } = context;
  const program = await findMongod({ onProgress: progress });
  const guard = {
    configFile: join(directory.keys, paths.mongodConfig),
    keyFile: join(directory.keys, paths.databaseKey),
  };
  await keepServer(context, 'mongod', (logFile) =>
    startMongod({ program, dataDir: directory.mongod, port, logFile, guard }),
  );
}

/** Keeps a nats-server running with the deployment's users and permissions, and returns its URL. */
export async function keepNatsServer(context: ServersContext, port: number): Promise<string> {
  const { directory, progress } = context;
  const program = await findNatsServer({ onProgress: progress });
  const configFile = join(directory.keys, paths.natsServerConfig);
  return await keepServer(context, 'nats-server', (logFile) =>
    startNatsServer({ program, configFile, storeDir: directory.nats, port, logFile }),
  );
}

async function keepServer(
  { supervisor, directory, progress }: ServersContext,
  name: string,
  start: (logFile: string) => Promise<LocalServer>,
): Promise<string> {
  progress(`Starting ${name} …`);
  const logFile = join(directory.logs, `${name}.log`);
  let url = '';
  await supervisor.keep({
    name,
    logFile,
    start: async () => {
      const server = await start(logFile);
      url = server.url;
      return server;
    },
  });
  return url;
}
