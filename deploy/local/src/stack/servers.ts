import { join } from 'node:path';
import { natsServerConfig } from '@action-platform/bus';
import { type Limits, largestMessageBytes } from '@action-platform/contracts';
import { freePort, type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { type LocalDirectory, readJsonFile, writeJsonFile } from '../local-directory.ts';
import { type BusKeys, publicKeysOf } from './bus-access.ts';
import type { Supervisor } from './supervisor.ts';

/** What the servers behind the services are kept with. */
export interface ServersContext {
  readonly supervisor: Supervisor;
  readonly directory: LocalDirectory;
  /** Told in plain lines what takes time. */
  readonly progress: (line: string) => void;
}

/** The ports of the servers behind the services. */
export interface ServerPorts {
  readonly mongod: number;
  readonly nats: number;
}

/** Free ports; those of the last start when nothing took them since. */
export async function choosePorts({ root }: LocalDirectory): Promise<ServerPorts> {
  const file = join(root, 'ports.json');
  const last = readJsonFile<ServerPorts>(file);
  const ports = { mongod: await freePort(last?.mongod), nats: await freePort(last?.nats) };
  writeJsonFile(file, ports);
  return ports;
}

/** Keeps a mongod running and returns its URL. */
export async function keepMongod(context: ServersContext, port: number): Promise<string> {
  const { directory, progress } = context;
  const program = await findMongod({ onProgress: progress });
  return await keepServer(context, 'mongod', (logFile) =>
    startMongod({ program, dataDir: directory.mongod, port, logFile }),
  );
}

/** Keeps a nats-server running, with the users and permissions of the platform, and returns its URL. */
export async function keepNatsServer(
  context: ServersContext,
  port: number,
  busKeys: BusKeys,
  limits: Limits,
): Promise<string> {
  const { directory, progress } = context;
  const program = await findNatsServer({ onProgress: progress });
  const config = natsServerConfig(publicKeysOf(busKeys), largestMessageBytes(limits));
  return await keepServer(context, 'nats-server', (logFile) =>
    startNatsServer({ program, config, configFile: directory.natsConfigFile, port, logFile }),
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
      const { stop, exited, url: address } = await start(logFile);
      url = address;
      return { stop, exited };
    },
  });
  return url;
}
