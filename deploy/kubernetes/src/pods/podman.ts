import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '@action-platform/container';
import { cacheDir } from '@action-platform/toolchain';

const script = fileURLToPath(new URL('../../podman', import.meta.url));
const directory = join(cacheDir(), 'podman');

/** A folder that podman sees as `/shared`: an empty one, for each run. */
export function makeShared(): string {
  const shared = join(directory, 'shared');
  rmSync(shared, { recursive: true, force: true });
  mkdirSync(shared, { recursive: true });
  return shared;
}

/** A podman in namespaces of its own, which end with this process. */
export class Podman {
  readonly shared: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #signal: AbortSignal;

  private constructor(shared: string, child: ChildProcess, closed: Promise<unknown>, signal: AbortSignal) {
    this.shared = shared;
    this.#child = child;
    this.#closed = closed;
    this.#signal = signal;
  }

  /**
   * Gets it where it is not, and starts it.
   *
   * @param environment in which there is mmdebstrap
   * @throws with the reason when it cannot be had
   */
  static async start(shared: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Podman> {
    const stdio = ['pipe', 'pipe', 'inherit'] as const;
    // A session of its own, so that Ctrl-C leaves its end to us.
    const child = spawn(script, [directory], { env: environment, stdio: [...stdio], detached: true });
    const closed = once(child, 'close');
    const [said] = await Promise.race([once(child.stdout!, 'data'), closed]);
    if (String(said).trim() !== 'ready') throw new Error('podman cannot be run here.');
    return new Podman(shared, child, closed, signal);
  }

  /** Runs `podman` with these arguments, and returns what it printed. */
  async run(...args: string[]): Promise<string> {
    return await this.inside('podman', ...args);
  }

  /** Runs any program beside it. */
  async inside(...command: string[]): Promise<string> {
    return await this.#enter(command, this.#signal);
  }

  async #enter(command: readonly string[], signal?: AbortSignal): Promise<string> {
    const namespaces = ['--target', this.#first(), '--mount', '--net', '--pid'];
    const clean = ['env', '-i', 'HOME=/root', 'PATH=/usr/sbin:/usr/bin', 'PODMAN_IGNORE_CGROUPSV1_WARNING=1'];
    return await output('nsenter', [...namespaces, ...clean, ...command], process.env, signal);
  }

  /** Ends it, and whatever runs in it. */
  async stop(): Promise<void> {
    // The kernel's groups of processes are the machine's: they would stay.
    for (const what of [['pod', 'rm'], ['rm']])
      await this.#enter(['podman', ...what, '--all', '--force', '--time', '0']).catch(() => {});
    this.#child.stdin!.end();
    await this.#closed;
    for (const folder of [this.shared, join(directory, 'root', 'var', 'lib', 'containers')])
      rmSync(folder, { recursive: true, force: true });
  }

  /** The first process of its namespaces, as this machine calls it. */
  #first(): string {
    const { pid } = this.#child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  }
}
