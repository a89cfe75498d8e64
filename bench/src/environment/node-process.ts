import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tiedToParent } from '@action-platform/local-servers';
import type { Options } from '../options.ts';

/** A Node.js process of a contender. */
export interface NodeProcess {
  /** Its name in reports, such as `gateway`. */
  readonly name: string;
  readonly pid: number;
  /** Rejects when the process ends by itself; the error names its log. */
  readonly failed: Promise<never>;
}

/** How to start one. */
export interface NodeProcessPlan {
  readonly name: string;
  /** The contender, which names its files. */
  readonly contender: string;
  /** The arguments of Node.js: a script, and flags of this contender alone. */
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the processes of all contenders with the same Node.js and flags. */
export class NodeProcesses {
  readonly #logs: string;
  readonly #options: Pick<Options, 'nodeFlags' | 'profile' | 'out'>;
  readonly #stops: AsyncDisposableStack;

  /** @param logs the folder for their output. */
  constructor(
    logs: string,
    options: Pick<Options, 'nodeFlags' | 'profile' | 'out'>,
    stops: AsyncDisposableStack,
  ) {
    this.#logs = logs;
    this.#options = options;
    this.#stops = stops;
  }

  /** Starts a process with its output in a log file; it ends with the bench, even a killed one. */
  async start(plan: NodeProcessPlan): Promise<NodeProcess> {
    const { nodeFlags, profile, out } = this.#options;
    const file = `${plan.contender}-${plan.name}`;
    const logFile = join(this.#logs, `${file}.log`);
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const { command, args } = tiedToParent(process.execPath, [
      ...nodeFlags,
      ...(profile.includes(plan.name) ? profiling(join(out, 'profiles'), file) : []),
      ...plan.args,
    ]);
    const child = spawn(command, args, {
      cwd: plan.cwd,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ...plan.environment,
      },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    await once(child, 'spawn');
    const ended = once(child, 'exit');
    let stopping = false;
    const failed = ended.then(([code, signal]) => {
      if (stopping) return new Promise<never>(() => {});
      throw new Error(
        `${plan.contender} ${plan.name} ended (${signal ?? `exit code ${code}`}): see ${logFile}`,
      );
    });
    failed.catch(() => {});
    this.#stops.defer(async () => {
      stopping = true;
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(impatience);
    });
    return { name: plan.name, pid: child.pid!, failed };
  }
}

const STOP_WITHIN_MS = 10_000;

/** Has Node.js write a CPU profile when the process ends, for Chrome's developer tools. */
function profiling(folder: string, name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
}
