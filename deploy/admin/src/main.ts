import { type Bus, connectBus } from '@action-platform/bus';
import { largestMessageBytes, limitsSchema } from '@action-platform/contracts';
import { localDirectory, readStack } from '@action-platform/local';
import { runCommand } from './run-command.ts';

const CONNECT_PATIENCE_MS = 10_000;
const directory = localDirectory(process.env);
let connecting: Promise<Bus> | undefined;

/** The one connection of this command. */
function connect(): Promise<Bus> {
  connecting ??= connectToPlatform();
  return connecting;
}

/** Connects with `NATS_URL` and `NATS_NKEY_SEED`, or to the local stack. */
async function connectToPlatform(): Promise<Bus> {
  const { NATS_URL, NATS_NKEY_SEED } = process.env;
  const { nats_url, admin_seed } =
    NATS_URL && NATS_NKEY_SEED ? { nats_url: NATS_URL, admin_seed: NATS_NKEY_SEED } : readStack(directory);
  const signal = AbortSignal.timeout(CONNECT_PATIENCE_MS);
  const maxMessageBytes = largestMessageBytes(limitsSchema.parse({}));
  try {
    return await connectBus({ url: nats_url, user: 'admin', seed: admin_seed, maxMessageBytes, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`The platform does not answer at ${nats_url}: is it running? Start it with npm start.`);
  }
}

try {
  const result = await runCommand(process.argv.slice(2), { connect, directory });
  process.stdout.write(`${JSON.stringify(result)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await (await connecting?.catch(() => undefined))?.drain();
}
