import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createBusKeys, natsServerConfig, publicKeysOf } from '@action-platform/bus';
import { RawConnection } from '@action-platform/bus/raw-connection';
import { type BusUser, defaultLimits, largestMessageBytes } from '@action-platform/contracts';
import { localDirectory, makeDirectories } from '@action-platform/local';
import { startNodeService } from '@action-platform/local/processes';
import { freePort, startNatsServer } from '@action-platform/local-servers';
import { makeTestFolder, TestIssuer } from '@action-platform/testing';

/** The gateway's time limit for an answer, in milliseconds; short, because many inputs are silent services. */
const REQUEST_DEADLINE_MS = 600;

const START_TIMEOUT_MS = 60_000;

const maxMessageBytes = largestMessageBytes(defaultLimits);

/** A gateway alone on a bus, for stand-ins to answer it. */
export interface IsolatedGateway {
  readonly url: string;
  /** A session token that it accepts. */
  readonly token: string;
  /** The folder of its log. */
  readonly logs: string;
  /** Joins its bus. */
  open(user: BusUser): Promise<RawConnection>;
  stop(): Promise<void>;
}

/** Starts a gateway in a folder of its own. */
export async function startIsolatedGateway(): Promise<IsolatedGateway> {
  const directory = localDirectory({ LOCAL_DIR: makeTestFolder() });
  makeDirectories(directory);
  const keys = createBusKeys();
  const nats = await startNatsServer({
    config: natsServerConfig(publicKeysOf(keys), maxMessageBytes),
    configFile: join(directory.root, 'nats-server.conf'),
    logFile: join(directory.logs, 'nats-server.log'),
  });
  const issuer = new TestIssuer();
  await issuer.start();
  const port = await freePort();
  const environment = {
    PATH: process.env.PATH ?? '',
    NATS_URL: nats.url,
    NATS_NKEY_SEED: keys.gateway.seed,
    PORT: String(port),
    ...issuer.environment,
    REQUEST_DEADLINE_MS: String(REQUEST_DEADLINE_MS),
  };
  const gateway = await startNodeService('gateway', environment, join(directory.logs, 'gateway.log'));
  const url = `http://127.0.0.1:${port}`;
  await untilListening(url);
  return {
    url,
    token: await issuer.token({ workspaceId: 'ws_1', userId: 'olga' }),
    logs: directory.logs,
    open: (user) => RawConnection.open({ url: nats.url, user, seed: keys[user].seed, maxMessageBytes }),
    stop: async () => {
      await gateway.stop();
      await nats.stop();
      issuer.stop();
      rmSync(directory.root, { recursive: true, force: true });
    },
  };
}

async function untilListening(url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const isListening = await fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isListening) return;
    if (performance.now() > deadline) throw new Error('The gateway did not start.');
    await delay(50);
  }
}
