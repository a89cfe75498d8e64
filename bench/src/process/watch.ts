import { readFileSync } from 'node:fs';
import { residentMib } from '@action-platform/local-servers';

const LOOK_EVERY_MS = 250;
/** Linux counts CPU time in ticks of 10 ms: USER_HZ is 100 on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** The resource use of a process over some time. */
interface ProcessUse {
  /** In user and system mode, by all its threads. */
  readonly cpuSeconds: number;
  readonly peakMB: number;
  /** The mean of its memory in the last third of the time, divided by that in the middle third. */
  readonly growth: number;
}

/** The resource use of each process, by name. */
export type Uses = Readonly<Record<string, ProcessUse>>;

/** Watches the CPU time and memory of processes, by name; returns a function that ends the watch. Linux only. */
export function watch(pids: ReadonlyMap<string, number>): () => Uses {
  const cpuBefore = new Map([...pids].map(([name, pid]) => [name, cpuSeconds(pid)]));
  const sizes = new Map([...pids.keys()].map((name) => [name, [] as number[]]));
  const look = () => {
    for (const [name, pid] of pids) sizes.get(name)!.push(residentMib(pid));
  };
  look();
  const looking = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(looking);
    look();
    const useOf = (name: string, pid: number): ProcessUse => ({
      cpuSeconds: cpuSeconds(pid) - cpuBefore.get(name)!,
      peakMB: Math.max(...sizes.get(name)!),
      growth: growthOf(sizes.get(name)!),
    });
    return Object.fromEntries([...pids].map(([name, pid]) => [name, useOf(name, pid)]));
  };
}

function growthOf(sizes: readonly number[]): number {
  const third = Math.max(1, Math.floor(sizes.length / 3));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return sum(sizes.slice(-third)) / sum(sizes.slice(-2 * third, -third));
}

/** proc_pid_stat(5) */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses, which may hold anything; the third field follows.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
