import type { Server } from 'node:http';
import { constants } from 'node:os';
import { serveRun } from '../run/remote-run.ts';
import { TestRun } from '../run/test-run.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let run: TestRun;
let server: Server;

/** Jest's global set-up: serves the requests of test files for servers. */
export default async function globalSetup(): Promise<void> {
  run = new TestRun((line) => void process.stderr.write(`${line}\n`));
  server = await serveRun(run);
  process.once('exit', abandon);
  for (const signal of stopSignals) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

const abandon = () => run.abandon();

/** Stops the processes of the run. */
export async function stopRun(): Promise<void> {
  process.off('exit', abandon);
  server.closeAllConnections();
  server.close();
  await run.stop();
}
