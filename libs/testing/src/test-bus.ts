import { type Bus, connectBus } from '@action-platform/bus';
import { type BusUser, defaultLimits, largestMessageBytes } from '@action-platform/contracts';
import { askRun } from './run/remote-run.ts';

const maxMessageBytes = largestMessageBytes(defaultLimits);

/** A bus of a test file's own, with the platform's users and permissions. */
export interface TestBus {
  readonly url: string;
  /** The environment that lets a process join as `user`. */
  environment(user: BusUser): Record<string, string>;
  connect(user: BusUser): Promise<Bus>;
  /** Gives it back; nobody may be connected any more. */
  stop(): Promise<void>;
}

/** Takes a bus that nobody else is on: an account on the NATS server of the test run. */
export async function startTestBus(): Promise<TestBus> {
  const account = await askRun('lendBus');
  const { url, keys } = account;
  return {
    url,
    environment: (user) => ({ NATS_URL: url, NATS_NKEY_SEED: keys[user].seed }),
    connect: (user) => connectBus({ url, user, seed: keys[user].seed, maxMessageBytes }),
    stop: async () => {
      await askRun('takeBackBus', account);
    },
  };
}
