import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus, createBusKeys, natsServerConfig } from '@action-platform/bus';
import { type BusUser, busUsers, largestMessageBytes, limitsSchema } from '@action-platform/contracts';
import { startNatsServer } from '@action-platform/local-servers';

const maxMessageBytes = largestMessageBytes(limitsSchema.parse({}));

/** A NATS server of a test file's own, with the platform's users and permissions. */
export interface TestBus {
  readonly url: string;
  /** The environment that lets a process join as `user`. */
  environment(user: BusUser): Record<string, string>;
  connect(user: BusUser): Promise<Bus>;
  stop(): Promise<void>;
}

/** Starts a NATS server for one test file. */
export async function startTestBus(): Promise<TestBus> {
  const folder = await mkdtemp(join(tmpdir(), 'action-platform-bus-'));
  const keys = createBusKeys();
  const publicKeys = Object.fromEntries(busUsers.map((user) => [user, keys[user].publicKey])) as Record<
    BusUser,
    string
  >;
  const server = await startNatsServer({
    config: natsServerConfig(publicKeys, maxMessageBytes),
    configFile: join(folder, 'nats.conf'),
    logFile: join(folder, 'nats.log'),
  });
  return {
    url: server.url,
    environment: (user) => ({ NATS_URL: server.url, NATS_NKEY_SEED: keys[user].seed }),
    connect: (user) => connectBus({ url: server.url, user, seed: keys[user].seed, maxMessageBytes }),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
