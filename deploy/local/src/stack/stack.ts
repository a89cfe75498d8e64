import { join } from 'node:path';
import { natsServerConfig } from '@action-platform/bus';
import { largestMessageBytes, limitsSchema, services } from '@action-platform/contracts';
import { type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { LOCAL_AUDIENCE, LOCAL_ISSUER, openIssuerKey } from '../issuer/key.ts';
import { serveIssuerKeys } from '../issuer/key-server.ts';
import type { LocalDirectory } from '../local-directory.ts';
import type { Options } from '../options.ts';
import { openBusKeys, publicKeysOf } from './bus-keys.ts';
import { startNodeService } from './node-service.ts';
import { choosePorts, requireFree } from './ports.ts';
import { writeStack } from './stack-file.ts';
import { type RunningProcess, Supervisor } from './supervisor.ts';

/** The platform as processes of this machine. */
export interface Stack {
  /** Starts everything and resolves with the addresses of the gateways. */
  start(): Promise<readonly string[]>;
  /** Stops every process in order, also while they are being started; nothing that was acknowledged is lost. */
  stop(): Promise<void>;
}

/** A stack of the issuer, mongod, nats-server and every service; `progress` is told in plain lines. */
export function createStack(
  options: Options,
  directory: LocalDirectory,
  environment: NodeJS.ProcessEnv,
  progress: (line: string) => void,
): Stack {
  const supervisor = new Supervisor(progress);
  return {
    start: async () => {
      const jwksUrl = await serveIssuerKeys(await openIssuerKey(directory));
      return await startProcesses(supervisor, jwksUrl, options, directory, environment, progress);
    },
    stop: () => supervisor.stop(),
  };
}

async function startProcesses(
  supervisor: Supervisor,
  jwksUrl: string,
  options: Options,
  directory: LocalDirectory,
  environment: NodeJS.ProcessEnv,
  progress: (line: string) => void,
): Promise<string[]> {
  const gatewayPorts = Array.from(
    { length: options.replicas.gateway },
    (_, replica) => options.port + replica,
  );
  await requireFree(gatewayPorts);
  const ports = await choosePorts(directory);
  const mongodbUrl =
    environment.MONGODB_URL || (await keepMongod(supervisor, directory, ports.mongod, progress));
  const busKeys = openBusKeys(directory);
  const natsUrl =
    environment.NATS_URL || (await keepNatsServer(supervisor, directory, ports.nats, busKeys, progress));
  writeStack(directory, { nats_url: natsUrl, admin_seed: busKeys.admin.seed });

  progress('Starting the services …');
  const shared = {
    MONGODB_URL: mongodbUrl,
    NATS_URL: natsUrl,
    NODE_ENV: 'production',
    MAIL_LOCAL_DIR: directory.mail,
    FILES_DIR: directory.files,
  };
  const keepService = (
    service: keyof Options['replicas'],
    replica: number,
    extra: Readonly<Record<string, string>>,
  ) => {
    const name = replica === 0 ? service : `${service}-${replica + 1}`;
    const logFile = join(directory.logs, `${name}.log`);
    const variables = { ...shared, NATS_NKEY_SEED: busKeys[service].seed, ...extra };
    return supervisor.keep({ name, logFile, start: () => startNodeService(service, variables, logFile) });
  };
  for (const service of services) {
    for (let replica = 0; replica < options.replicas[service]; replica++)
      await keepService(service, replica, {});
  }
  for (const [replica, port] of gatewayPorts.entries()) {
    await keepService('gateway', replica, {
      HOST: '127.0.0.1',
      PORT: String(port),
      SESSION_ISSUER: LOCAL_ISSUER,
      SESSION_AUDIENCE: LOCAL_AUDIENCE,
      SESSION_JWKS_URL: jwksUrl,
    });
  }
  return gatewayPorts.map((port) => `http://127.0.0.1:${port}`);
}

/** A server as the supervisor sees it. */
function supervised({ stop, exited }: LocalServer): RunningProcess {
  return { stop, exited: exited.then(({ reason }) => reason) };
}

async function keepMongod(
  supervisor: Supervisor,
  directory: LocalDirectory,
  port: number,
  progress: (line: string) => void,
): Promise<string> {
  const program = await findMongod({ onProgress: progress });
  progress('Starting mongod …');
  const logFile = join(directory.logs, 'mongod.log');
  let url = '';
  await supervisor.keep({
    name: 'mongod',
    logFile,
    start: async () => {
      const server = await startMongod({ program, dataDir: directory.mongod, port, logFile });
      url = server.url;
      return supervised(server);
    },
  });
  return url;
}

async function keepNatsServer(
  supervisor: Supervisor,
  directory: LocalDirectory,
  port: number,
  busKeys: ReturnType<typeof openBusKeys>,
  progress: (line: string) => void,
): Promise<string> {
  const program = await findNatsServer({ onProgress: progress });
  progress('Starting nats-server …');
  const config = natsServerConfig(publicKeysOf(busKeys), largestMessageBytes(limitsSchema.parse({})));
  const logFile = join(directory.logs, 'nats-server.log');
  let url = '';
  await supervisor.keep({
    name: 'nats-server',
    logFile,
    start: async () => {
      const server = await startNatsServer({
        program,
        config,
        configFile: directory.natsConfigFile,
        port,
        logFile,
      });
      url = server.url;
      return supervised(server);
    },
  });
  return url;
}
