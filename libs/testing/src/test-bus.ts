import { type Bus, connectBus } from '@action-platform/bus';
import { defaultLimits, largestMessageBytes } from '@action-platform/contracts/limits';
import type { BusUser } from '@action-platform/contracts/services';
import { askRun } from './run/remote-run.ts';

/** The keys that seal, the same in all tests: cursors outlive a replica. */
export const SEAL_KEYS = `test:${Buffer.alloc(32, 'seal').toString('base64')}`;

const maxMessageBytes = largestMessageBytes(defaultLimits);

/** The bus of one test file, with the platform's users and permissions. */
export interface TestBus {
  readonly url: string;
  /** The environment for a process that connects as `user`. */
  environment(user: BusUser): Record<string, string>;
  connect(user: BusUser): Promise<Bus>;
  /** Gives back the bus, which must have no connections left. */
  stop(): Promise<void>;
}

/** Takes an unused bus: an account on a NATS server of the test run. */
export async function startTestBus(): Promise<TestBus> {
  const account = await askRun('lendBus');
  const { url, keys } = account;
  return {
    url,
    environment: (user) => ({ NATS_URL: url, NATS_NKEY_SEED: keys[user].seed, SEAL_KEYS }),
    connect: (user) => connectBus({ url, user, seed: keys[user].seed, maxMessageBytes }),
    stop: async () => {
      await askRun('takeBackBus', account);
    },
  };
}
