import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '@action-platform/contracts/services';
import { until } from '@action-platform/testing';
import fc from 'fast-check';
import type { LocalPlatform } from '../../local-platform.ts';
import { say } from '../../on-a-stack.ts';
import type { Fault, Repair } from './fault.ts';

/** The processes of a platform, as parts of their command lines. */
export const victims = [...processes.map((name) => `services/${name}/`), 'mongod', 'nats-server'];
const KILLS = 10_000;
const POLL_MS = 100;
/** How long a process hangs, in milliseconds. */
const FREEZE_MS = 5_000;
/** How long the platform may take to be ready again; then the next process is killed all the same, in milliseconds. */
const READY_WITHIN_MS = 60_000;

/** Sends a signal to those processes that have not ended meanwhile. */
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** Makes processes hang. */
export function freeze(pids: readonly number[]): Repair {
  signal(pids, 'SIGSTOP');
  return () => signal(pids, 'SIGCONT');
}

/** Kills processes; the supervisor of a local stack starts them again. */
export function kill(pids: readonly number[]): void {
  signal(pids, 'SIGKILL');
}

/** Kills and freezes one process of each kind, of a local platform. */
export function processFaults(platform: LocalPlatform, among: readonly string[]): Fault[] {
  const first = (command: string) => platform.pids(command).slice(0, 1);
  const nameOf = (command: string) => /[\w-]+(?=\/?$)/.exec(command)![0];
  const kills = among.map((command) => ({
    name: `kill-${nameOf(command)}`,
    happen: () => {
      const [pid] = first(command);
      kill([pid!]);
      const isReplaced = () => {
        const pids = platform.pids(command);
        return pids.length > 0 && !pids.includes(pid!);
      };
      return () => until(() => `another ${command} runs`, isReplaced);
    },
  }));
  const freezes = among.map((command) => ({
    ...{ name: `freeze-${nameOf(command)}`, lastsMs: FREEZE_MS },
    happen: () => freeze(first(command)),
  }));
  return [...kills, ...freezes];
}

/** Kills a process, and resolves once another one runs in its place and the whole platform is ready, or after a while. */
export async function replace(platform: LocalPlatform, victim: string, pid: number): Promise<void> {
  const { length } = platform.pids(victim);
  kill([pid]);
  for (const end = performance.now() + READY_WITHIN_MS; performance.now() < end; await delay(POLL_MS)) {
    const pids = platform.pids(victim);
    if (!pids.includes(pid) && pids.length >= length && (await platform.isReady())) break;
  }
}

interface Killing {
  /** Parts of the command lines of the processes to kill. */
  readonly among: readonly string[];
  readonly seed: number;
  /** Whether each is killed in its turn; by default any at random. */
  readonly inTurn?: boolean;
  readonly isEnough: (kills: number) => boolean;
  readonly onKill?: (pid: number) => void;
}

/** Kills one process of a stack after the other, each once the one before runs again and the whole platform is ready. */
export async function killAtRandom(
  platform: LocalPlatform,
  { among, seed, inTurn = false, isEnough, onKill }: Killing,
): Promise<void> {
  const kills = new Map<string, number>();
  let count = 0;
  const choice = fc.record({ victim: fc.constantFrom(...among), replica: fc.nat(1), restMs: fc.nat(4_000) });
  for (const { victim: any, replica, restMs } of fc.sample(choice, { seed, numRuns: KILLS })) {
    await delay(restMs);
    if (isEnough(count)) break;
    const victim = inTurn ? among[count % among.length]! : any;
    const running = platform.pids(victim);
    const pid = running[replica % running.length];
    if (pid === undefined) continue;
    onKill?.(pid);
    kills.set(victim, (kills.get(victim) ?? 0) + 1);
    count++;
    await replace(platform, victim, pid);
  }
  say(`killed ${[...kills].map(([victim, times]) => `${victim} ${times}`).join(', ')}`);
}
