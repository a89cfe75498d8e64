import { fileURLToPath } from 'node:url';
import type { ProcessName } from '@action-platform/contracts/services';
import {
  platformProcess,
  platformVariables,
  type RunningProcess,
  startServer,
} from '@action-platform/local-servers';
import { exitReason } from './exit-reason.ts';

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
  // Code from the cache takes 13 MiB less than code that the process compiles.
  const { NODE_COMPILE_CACHE } = process.env;
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  return await startServer({
    title: service,
    program: process.execPath,
    args: processOf(service),
    cwd: folder,
    env: { ...platformVariables, ...cache, ...environment },
    logFile,
    explain: exitReason,
  });
}
