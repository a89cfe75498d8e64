import { readFileSync } from 'node:fs';

/** The resident memory of a process in MiB (proc_pid_status(5), Linux); 0 once the process has ended. */
export function residentMib(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
