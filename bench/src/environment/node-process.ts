import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tiedToParent } from '@action-platform/local-servers';
import type { Options } from '../options.ts';

/** A Node.js process of a contender. */
export interface NodeProcess {
  /** What reports call it, such as `gateway`. */
  readonly name: string;
  readonly pid: number;
  /** Where its CPU profiles go, when it was started to be profiled. */
  readonly profileFile: string | undefined;
  /** Rejects when the process ends unasked, saying where its log is. */
  readonly failed: Promise<never>;
}

/** How to start one. */
export interface NodeProcessPlan {
  readonly name: string;
  /** The contender, which names its files. */
  readonly contender: string;
  /** What Node.js is to run: a script, and flags that are this contender's own. */
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What starts the processes of all contenders alike: the same Node.js, the same flags. */
export class NodeProcesses {
  readonly #logs: string;
  readonly #options: Pick<Options, 'nodeFlags' | 'profile' | 'out'>;
  readonly #stops: AsyncDisposableStack;

  /** @param logs the folder for what they print. */
  constructor(
    logs: string,
    options: Pick<Options, 'nodeFlags' | 'profile' | 'out'>,
    stops: AsyncDisposableStack,
  ) {
    this.#logs = logs;
    this.#options = options;
    this.#stops = stops;
  }

  /** Starts a process, with its output in a log file; it ends with the bench, however that ends. */
  async start(plan: NodeProcessPlan): Promise<NodeProcess> {
    const { nodeFlags, profile, out } = this.#options;
    const file = `${plan.contender}-${plan.name}`;
    const logFile = join(this.#logs, `${file}.log`);
    const profileFile = profile.includes(plan.name) ? join(out, 'profiles', file) : undefined;
    mkdirSync(dirname(logFile), { recursive: true });
    if (profileFile !== undefined) rmSync(`${profileFile}.cpuprofile`, { force: true });
    const log = openSync(logFile, 'a');
    const { command, args } = tiedToParent(process.execPath, [
      ...nodeFlags,
      ...(profileFile === undefined ? [] : ['--import', profilingScript]),
      ...plan.args,
    ]);
    const child = spawn(command, args, {
      cwd: plan.cwd,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ...plan.environment,
        ...(profileFile !== undefined && { BENCH_PROFILE_FILE: profileFile }),
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
    return { name: plan.name, pid: child.pid!, profileFile, failed };
  }
}

const STOP_WITHIN_MS = 10_000;
const profilingScript = fileURLToPath(new URL('../profile/profile-on-signal.ts', import.meta.url));
