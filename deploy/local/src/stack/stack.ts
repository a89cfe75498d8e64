import { join } from 'node:path';
import { ownVariablesOf } from '@action-platform/contracts/configuration';
import { type Limits, largestMessageBytes } from '@action-platform/contracts/limits';
import { type ProcessName, services } from '@action-platform/contracts/services';
import { credentialVariables, prepareDatabase } from '@action-platform/deployment';
import { replicaSet } from '@action-platform/mongo';
import { type DemoUsers, serveIssuer } from '../issuer/serve.ts';
import type { Replicas } from '../options.ts';
import { writeStack } from './bus-access.ts';
import { establishUsers, openDeployment } from './deployment.ts';
import { requireFree } from './gateways.ts';
import { metricsPorts } from './metrics-ports.ts';
import { startNodeService } from './node-service.ts';
import { choosePorts, keepMongod, keepNatsServer, type ServersContext } from './servers.ts';
import { serviceEnvironment } from './service-environment.ts';
import { hasConsole, sessionEnvironment } from './session-environment.ts';
import { untilReady } from './until-ready.ts';

interface StackOptions {
  /** The port of the first gateway; further ones follow. */
  readonly port: number;
  readonly replicas: Replicas;
  readonly limits: Limits;
  /** The users who may sign in at the local issuer. */
  readonly demo: DemoUsers;
}

/**
 * Starts the issuer, mongod, nats-server and every service as processes of this machine, which the supervisor keeps; resolves with the
 * addresses of the gateways when all are ready, and rejects when the supervisor gives up a process.
 */
export async function startStack(
  context: ServersContext,
  options: StackOptions,
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const { supervisor, directory } = context;
  const gateways = await startProcesses(context, options, environment);
  const ready = untilReady(gateways, directory.logs, () => supervisor.pids);
  await Promise.race([ready, supervisor.givenUp]);
  supervisor.allRun();
  return gateways;
}

async function startProcesses(
  context: ServersContext,
  options: StackOptions,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { supervisor, directory, progress } = context;
  const { replicas, limits, demo } = options;
  const gatewayPorts = Array.from({ length: replicas.gateway }, (_, replica) => options.port + replica);
  await requireFree(gatewayPorts);
  const issuerUrl = await serveIssuer({
    directory,
    origins: gatewayPorts.flatMap((port) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]),
    demo,
  });
  const ports = await choosePorts(directory);
  const deployment = await openDeployment(directory, {
    busHosts: ['127.0.0.1'],
    databaseUrl: environment.MONGODB_URL || `mongodb://127.0.0.1:${ports.mongod}/?replicaSet=${replicaSet}`,
    maxMessageBytes: largestMessageBytes(limits),
  });
  if (environment.MONGODB_URL) {
    await establishUsers(environment.MONGODB_URL, deployment);
  } else {
    await keepMongod(context, ports.mongod);
    await prepareDatabase(deployment);
  }
  const natsUrl = environment.NATS_URL || (await keepNatsServer(context, ports.nats));
  writeStack(directory, { nats_url: natsUrl, admin_seed: deployment.busKeys.inUse.admin.seed });

  progress('Starting the services …');
  const metricsPort = metricsPorts(directory);
  const publicUrl = environment.PUBLIC_URL || `http://127.0.0.1:${options.port}`;
  const keep = async (service: ProcessName, replica: number, own: Readonly<Record<string, string>>) => {
    const name = replica === 0 ? service : `${service}-${replica + 1}`;
    const logFile = join(directory.logs, `${name}.log`);
    const given = serviceEnvironment(service, directory, environment);
    const credentials = Object.entries(credentialVariables(directory.keys, service)).filter(
      // The environment of `npm start` may have keys of its own.
      ([name]) => !given[name] && !given[name.replace(/_FILE$/, '')],
    );
    const variables = {
      ...given,
      ...('PUBLIC_URL' in ownVariablesOf(service).shape && { PUBLIC_URL: publicUrl }),
      ...('AGENT_SIGN_IN' in ownVariablesOf(service).shape &&
        hasConsole(environment) && { AGENT_SIGN_IN: 'true' }),
      NODE_ENV: 'production',
      NATS_URL: natsUrl,
      ...Object.fromEntries(credentials),
      METRICS_PORT: String(await metricsPort(service, name)),
      ...own,
    };
    await supervisor.keep({ name, logFile, start: () => startNodeService(service, variables, logFile) });
  };
  for (const service of services) {
    for (let replica = 0; replica < replicas[service]; replica++) await keep(service, replica, {});
  }
  for (const [replica, port] of gatewayPorts.entries()) {
    await keep('gateway', replica, {
      HOST: '127.0.0.1',
      PORT: String(port),
      ...sessionEnvironment(environment, issuerUrl),
    });
  }
  return gatewayPorts.map((port) => `http://127.0.0.1:${port}`);
}
