import { readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms: USER_HZ is 100 on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used so far, in user and system mode, by all its threads: proc_pid_stat(5). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses, which may hold anything; the third field follows.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process now, in MB: proc_pid_status(5). */
export function residentMB(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
