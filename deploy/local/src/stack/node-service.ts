import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tiedToParent } from '@action-platform/local-servers';
import type { RunningProcess } from './supervisor.ts';

/** On one machine small is better than fast: V8 collects young garbage sooner, in megabytes. */
const MEMORY_FLAGS = ['--max-semi-space-size=4'];

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/** Starts a service as a process of its own with exactly this environment, and its output in a log file. */
export async function startNodeService(
  service: string,
  environment: Readonly<Record<string, string>>,
  logFile: string,
): Promise<RunningProcess> {
  const log = openSync(logFile, 'a', 0o600);
  // A process group of its own, so that Ctrl-C reaches the supervisor alone, which stops all in order.
  const { command, args } = tiedToParent(process.execPath, [
    ...MEMORY_FLAGS,
    `services/${service}/src/main.ts`,
  ]);
  const child = spawn(command, args, {
    cwd: repository,
    env: environment,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const exited = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => exited.resolve(signal ?? `exit code ${code}`));
  const spawned = Promise.withResolvers<void>();
  child.once('spawn', spawned.resolve);
  child.once('error', spawned.reject);
  await spawned.promise;
  return {
    exited: exited.promise,
    stop: async () => {
      child.kill('SIGTERM');
      await exited.promise;
    },
  };
}
