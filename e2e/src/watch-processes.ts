import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentMib } from '@action-platform/local-servers';
import type { LocalPlatform } from './local-platform.ts';

const EVERY_MS = 1_000;

/** An option of Node.js for a process of a container: the heap as V8 sizes it below the memory limit. */
export const CONTAINER_HEAP = '--max-old-space-size=192';

/** The observed state of the processes of a platform's services. */
interface Watched {
  /** The processes that ended though nothing killed them, by name. */
  readonly ended: readonly string[];
  /** The most resident memory of a process, by name, in MiB. */
  readonly memory: ReadonlyMap<string, number>;
}

/** Watches the processes of services. Call `stop` before the platform stops. */
export class ProcessWatch {
  readonly #platform: LocalPlatform;
  readonly #killed = new Set<number>();
  readonly #running = new Map<number, string>();
  readonly #ended: string[] = [];
  readonly #memory = new Map<string, number>();
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  constructor(platform: LocalPlatform) {
    this.#platform = platform;
  }

  /** Takes the end of a process for that of a kill. */
  readonly killed = (pid: number): void => void this.#killed.add(pid);

  stop(): Watched {
    clearInterval(this.#timer);
    return { ended: this.#ended, memory: this.#memory };
  }

  #look(): void {
    const pids = new Set(this.#platform.pids('services/'));
    for (const [pid, name] of this.#running) {
      if (pids.has(pid)) continue;
      this.#running.delete(pid);
      if (!this.#killed.has(pid)) this.#ended.push(name);
    }
    for (const pid of pids) this.#see(pid);
  }

  #see(pid: number): void {
    try {
      const [, name] = /services\/([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))!;
      this.#running.set(pid, name!);
      this.#memory.set(name!, Math.max(this.#memory.get(name!) ?? 0, residentMib(pid)));
    } catch {
      // The process has just ended.
    }
  }
}

/** Prints the most memory of each service's processes. @returns those that took more than their container has */
export function largerThanContainers(memory: Watched['memory'], say: (line: string) => void): string[] {
  const compose = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
  const limit = Number(/^x-platform:[\s\S]*?mem_limit: (\d+)m$/m.exec(compose)![1]);
  for (const [name, mib] of memory) say(`${name.padEnd(18)} at most ${mib.toFixed()} of ${limit} MiB`);
  return [...memory].flatMap(([name, mib]) => (mib > limit ? [`${name} took more than ${limit} MiB`] : []));
}
