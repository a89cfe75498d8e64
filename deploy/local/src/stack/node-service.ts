import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProcessName } from '@action-platform/contracts';
import {
  openServerLog,
  platformProcess,
  platformVariables,
  tiedToParent,
} from '@action-platform/local-servers';
import { exitReason } from './exit-reason.ts';
import type { Ending, RunningProcess } from './supervisor.ts';

/** A version of the platform to run. */
export interface Release {
  /** The prefix of its files. */
  readonly name: string;
  /** Its checkout, with installed dependencies. */
  readonly folder: string;
  /** The arguments with which Node.js runs one of its processes. */
  processOf(service: ProcessName): readonly string[];
}

export const thisRelease: Release = {
  name: 'this',
  folder: fileURLToPath(new URL('../../../../', import.meta.url)),
  processOf: platformProcess,
};

/** Starts a service as a process of its own with this environment, that of every process of the platform, and its output in a log file. */
export async function startNodeService(
  service: ProcessName,
  environment: Readonly<Record<string, string>>,
  logFile: string,
  { folder, processOf } = thisRelease,
): Promise<RunningProcess> {
  const log = await openServerLog(logFile);
  // Each service has a process group of its own, so that Ctrl-C reaches only the supervisor, which stops all in order.
  const { command, args } = tiedToParent(process.execPath, processOf(service));
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...platformVariables, ...environment },
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  const ended = Promise.withResolvers<Ending>();
  child.once('exit', (code, signal) => ended.resolve({ code, reason: signal ?? `exit code ${code}` }));
  const exited = ended.promise.then(async (ending) =>
    ending.code === null || ending.code === 0
      ? ending
      : { ...ending, reason: exitReason(await log.tail()) ?? ending.reason },
  );
  const spawned = Promise.withResolvers<void>();
  child.once('spawn', spawned.resolve);
  child.once('error', spawned.reject);
  await log.close();
  await spawned.promise;
  return {
    exited,
    stop: async () => {
      child.kill('SIGTERM');
      await ended.promise;
    },
  };
}
