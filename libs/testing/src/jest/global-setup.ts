import { findNatsServer } from '@action-platform/toolchain';
import { startTestMongod, type TestMongod } from './mongod-for-tests.ts';

let mongod: TestMongod | undefined;

/**
 * Jest's global set-up. Test files find in their environment:
 * - `TEST_MONGODB_URL`: one mongod for the whole run, or the `MONGODB_URL` the user has set;
 * - `TEST_NATS_SERVER`: absolute path of the nats-server program, of which each test file starts its own.
 */
export default async function globalSetup(): Promise<void> {
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const { MONGODB_URL } = process.env;
  const natsServer = await findNatsServer({ onProgress });
  if (!MONGODB_URL) mongod = await startTestMongod({ onProgress });
  process.env.TEST_NATS_SERVER = natsServer;
  process.env.TEST_MONGODB_URL = MONGODB_URL || mongod?.url;
}

/** Ends what the set-up has started. */
export async function stopTestServers(): Promise<void> {
  await mongod?.stop();
}
